// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.supervision.SessionFigures;
import io.outboard.lease.Form;
import io.outboard.lease.IdleLimits;
import io.outboard.lease.IdleStep;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseMode;
import io.outboard.lease.LeaseState;
import io.outboard.lease.LedgerQuery;
import io.outboard.lease.LedgerRow;
import io.outboard.lease.testkit.Sample;
import io.outboard.pool.broker.BrokerCase;
import io.outboard.pool.broker.TestSession;
import io.outboard.pool.idle.IdleWatch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Devices that are handed over: nobody else's until somebody says that they are free. */
final class HandoverTest extends BrokerCase {
  HandoverTest() {
    super(Sample.gpus(2));
  }

  @Test
  void onlyFreeDevicesAreHandedOverAndNobodyElseHasThem() throws Exception {
    TestSession program = TestSession.start(broker.admissions().admitWithout("test", ""));
    Lease one = broker.request(Sample.handed("a", 1));
    assertEquals(LeaseState.REQUESTED, one.state(), "a program has them");
    program.end(SessionFigures.NOTHING);
    assertEquals(LeaseState.GRANTED, now(one).state());
    Lease two = broker.request(Sample.part("b", 2, 100, 0));
    assertEquals(LeaseState.REQUESTED, two.state(), "not even a part of one");
    assertEquals(1, broker.admissions().admitWithout("test", "").allotment().gpus().size());
  }

  @Test
  void noProgramOfThisBackendHasThem() throws LeaseException {
    Lease lease = broker.request(Sample.handed("a", 1));
    assertThrows(LeaseException.class, () -> broker.admissions().admit(holder(lease)));
    assertEquals(Optional.empty(), broker.token(lease));
    assertEquals("", new ControlCommands(broker).rows("find", id(lease)).getFirst().get("token"));
  }

  private static Form id(Lease lease) {
    return new Form().with("id", lease.id());
  }

  @Test
  void whatCannotBeKnownOfThemIsRefused() throws LeaseException {
    Lease lease = broker.request(Sample.handed("a", 1));
    assertThrows(LeaseException.class, () -> broker.share(lease.id(), 500));
    assertThrows(LeaseException.class, () -> broker.drain(lease.id(), ""));
    assertThrows(LeaseException.class, () -> suspend(lease));
    assertEquals(LeaseState.GRANTED, now(lease).state());
  }

  @Test
  void afterTheirTimeTheyAreStillNotFree() throws LeaseException {
    Lease lease = broker.request(Sample.handed("a", 2));
    Lease waiting = broker.request(Sample.whole("b", 1));
    clock.pass(Sample.HOUR);
    broker.tick();
    assertEquals(LeaseState.DRAINING, now(lease).state());
    assertEquals(LeaseState.REQUESTED, now(waiting).state());
    restart();
    assertEquals(LeaseState.DRAINING, now(lease).state(), "whoever has them has not ended");
    clock.pass(Duration.ofMinutes(1));
    broker.end(lease.id(), LeaseState.RELEASED, "");
    assertEquals(LeaseState.GRANTED, now(waiting).state());
    LedgerRow row = broker.ledger(LedgerQuery.since(Sample.NOON)).getFirst();
    assertEquals(LeaseMode.DEVICE, row.mode());
    assertEquals(Sample.HOUR.plusMinutes(1), Duration.between(row.from(), row.to()));
  }

  @Test
  void aFailureEndsTheLeaseOfNobodyWhoIsNotSeen() throws LeaseException {
    Lease lease = broker.request(Sample.handed("a", 1));
    broker.failed("GPU-0", "it is lost");
    assertEquals(LeaseState.GRANTED, now(lease).state());
    broker.end(lease.id(), LeaseState.RELEASED, "");
    assertEquals("GPU-1", broker.request(Sample.handed("a", 1)).gpus().getFirst().uuid());
  }

  @Test
  void anIdleWatchLeavesThemAlone() throws Exception {
    Lease lease = broker.request(Sample.handed("a", 1));
    IdleLimits limits = IdleLimits.NONE.with(IdleStep.REVOKE, Duration.ofSeconds(1));
    try (IdleWatch watch = new IdleWatch(broker, limits, _ -> {}, clock, Runnable::run)) {
      watch.look();
      clock.pass(Duration.ofMinutes(1));
      watch.look();
    }
    assertEquals(LeaseState.GRANTED, now(lease).state());
  }

  @Test
  void whereTheyAreIsSaidOfWhatIsHandedOver() throws LeaseException {
    Lease lease = broker.request(Sample.handed("a", 2));
    List<Form> rows = new ControlCommands(broker).rows("handover", id(lease));
    assertEquals(List.of("GPU-0", "GPU-1"), rows.stream().map(row -> row.get("uuid")).toList());
    broker.end(lease.id(), LeaseState.RELEASED, "");
    assertThrows(
        LeaseException.class, () -> new ControlCommands(broker).rows("handover", id(lease)));
    Lease served = broker.request(Sample.whole("a", 1));
    assertThrows(
        LeaseException.class, () -> new ControlCommands(broker).rows("handover", id(served)));
  }

  @Test
  void theyAreWholeAndNeverIdle() {
    assertTrue(refusal("share", 500).contains("leased whole"));
    assertTrue(refusal("idleRevoke", 60).contains("no limit"));
  }

  private String refusal(String name, int value) {
    Form wanted =
        new Form().with("seconds", 1).with("mode", LeaseMode.DEVICE.label()).with(name, value);
    return assertThrows(
            IllegalArgumentException.class, () -> new ControlCommands(broker).rows("lease", wanted))
        .getMessage();
  }
}
