// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.supervision.SessionFigures;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseState;
import io.outboard.lease.LedgerQuery;
import io.outboard.lease.LedgerRow;
import io.outboard.lease.testkit.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Suspended leases: whose the devices are meanwhile, and who gets them back. */
final class SuspendTest extends BrokerCase {
  SuspendTest() {
    super(Sample.gpus(1));
  }

  private void await(Lease lease, LeaseState state) throws Exception {
    while (state(lease) != state) {
      Thread.sleep(1);
    }
  }

  @Test
  void twoLeasesTakeTurns() throws Exception {
    Lease one = broker.request(Sample.whole("a", 1));
    TestSession first = use(one);
    Lease two = broker.request(Sample.whole("b", 1));
    assertEquals(LeaseState.REQUESTED, two.state());
    suspend(one);
    suspend(one);
    assertTrue(first.isSuspended());
    assertEquals(LeaseState.SUSPENDED, state(one));
    assertEquals(LeaseState.GRANTED, state(two));
    TestSession second = use(broker.find(two.id()));
    first.call();
    assertEquals(LeaseState.SUSPENDED, state(one), "others have its device");
    String line = first.nextLine();
    assertTrue(line.contains("others have its GPUs; it ends in 60 min"), line);
    suspend(two);
    await(one, LeaseState.ACTIVE);
    first.awaitResumed();
    assertTrue(first.isToldNothing(), "it is told once");
    second.call();
    assertTrue(second.isSuspended());
    first.end(SessionFigures.NOTHING);
    broker.end(one.id(), LeaseState.RELEASED, "");
    second.awaitResumed();
    await(two, LeaseState.ACTIVE);
  }

  @Test
  void whoIsWantedComesBeforeThoseWhoAsk() throws Exception {
    Lease one = broker.request(Sample.whole("a", 1));
    TestSession first = use(one);
    suspend(one);
    Lease two = broker.request(Sample.whole("b", 1));
    first.call();
    Lease three = broker.request(Sample.whole("c", 1));
    broker.end(two.id(), LeaseState.RELEASED, "");
    first.awaitResumed();
    assertEquals(LeaseState.REQUESTED, state(three));
    assertThrows(LeaseException.class, () -> broker.admissions().admitWithout("somebody", ""));
  }

  @Test
  void aSessionThatCannotBeSuspendedLeavesAllAsItWas() throws Exception {
    Lease lease = broker.request(Sample.whole("a", 1));
    TestSession one = use(lease);
    TestSession two = use(lease);
    two.refuses("it shares memory");
    LeaseException e = assertThrows(LeaseException.class, () -> suspend(lease));
    assertTrue(e.getMessage().contains("it shares memory"), e::getMessage);
    assertEquals(LeaseState.ACTIVE, state(lease));
    assertFalse(one.isSuspended());
    use(lease);
  }

  @Test
  void aSessionThatIsAboutToEndHoldsNothingUp() throws Exception {
    Lease lease = broker.request(Sample.whole("a", 1));
    TestSession one = use(lease);
    TestSession two = use(lease);
    two.isOver();
    suspend(lease);
    assertTrue(one.isSuspended());
    assertTrue(two.isStopped());
    assertEquals(LeaseState.ACTIVE, broker.suspensions().resume(lease.id(), PATIENCE).state());
    one.awaitResumed();
  }

  @Test
  void aSessionThatEndsWhileSuspendedHoldsNoResumptionUp() throws Exception {
    Lease lease = broker.request(Sample.whole("a", 1));
    TestSession one = use(lease);
    TestSession two = use(lease);
    suspend(lease);
    one.isOver();
    assertEquals(LeaseState.ACTIVE, broker.suspensions().resume(lease.id(), PATIENCE).state());
    two.awaitResumed();
    suspend(lease);
    assertTrue(two.isSuspended());
  }

  @Test
  void aCallDuringTheSuspensionEndsItAtOnce() throws Exception {
    Lease lease = broker.request(Sample.whole("a", 1));
    TestSession session = use(lease);
    session.callsWhenSuspended();
    suspend(lease);
    session.awaitResumed();
    await(lease, LeaseState.ACTIVE);
  }

  @Test
  void aNewProgramResumesItsLease() throws Exception {
    Lease lease = broker.request(Sample.whole("a", 1));
    TestSession session = use(lease);
    suspend(lease);
    use(lease);
    session.awaitResumed();
    assertEquals(LeaseState.ACTIVE, state(lease));
    suspend(lease);
    Lease other = broker.request(Sample.whole("b", 1));
    assertEquals(LeaseState.GRANTED, other.state());
    assertThrows(LeaseException.class, () -> use(lease));
    assertThrows(
        LeaseException.class, () -> broker.suspensions().resume(lease.id(), Duration.ZERO));
    broker.end(other.id(), LeaseState.RELEASED, "");
    assertEquals(LeaseState.ACTIVE, broker.suspensions().resume(lease.id(), PATIENCE).state());
  }

  @Test
  void whoGoesWhileSuspendedLeavesNothing() throws Exception {
    Lease lease = broker.request(Sample.whole("a", 1));
    TestSession session = use(lease);
    suspend(lease);
    session.end(SessionFigures.NOTHING);
    assertEquals(LeaseState.SUSPENDED, state(lease));
    assertEquals(LeaseState.IDLE, broker.suspensions().resume(lease.id(), PATIENCE).state());
    suspend(lease);
    assertEquals(LeaseState.REVOKED, broker.end(lease.id(), LeaseState.REVOKED, "").state());
    Lease next = broker.request(Sample.whole("a", 1));
    session = use(next);
    suspend(next);
    assertThrows(LeaseException.class, () -> broker.drain(next.id(), ""));
    broker.end(next.id(), LeaseState.RELEASED, "");
    assertTrue(session.isStopped());
    assertEquals(LeaseState.RELEASED, state(next));
    TestSession common = TestSession.start(broker.admissions().admitWithout("somebody", ""));
    Lease implicit = broker.alive().getFirst();
    suspend(implicit);
    common.end(SessionFigures.NOTHING);
    assertEquals(List.of(), broker.alive());
  }

  @Test
  void whoWaitsForTooLongIsEnded() throws Exception {
    Lease lease = broker.request(Sample.whole("a", 1));
    broker.renew(lease.id(), Duration.ofDays(2));
    TestSession session = use(lease);
    suspend(lease);
    Lease other = broker.request(Sample.whole("b", 1));
    broker.renew(other.id(), Duration.ofDays(2));
    session.call();
    clock.pass(Duration.ofMinutes(59));
    broker.tick();
    assertFalse(session.isStopped());
    clock.pass(Duration.ofMinutes(1));
    broker.tick();
    assertTrue(session.isStopped());
  }

  @Test
  void suspendedTimeIsNobodys() throws Exception {
    Lease lease = broker.request(Sample.whole("a", 1));
    use(lease);
    clock.pass(Duration.ofMinutes(1));
    suspend(lease);
    clock.pass(Duration.ofMinutes(5));
    broker.roll();
    broker.suspensions().resume(lease.id(), PATIENCE);
    clock.pass(Duration.ofMinutes(2));
    broker.end(lease.id(), LeaseState.RELEASED, "");
    List<LedgerRow> rows = broker.ledger(LedgerQuery.since(Instant.EPOCH));
    assertEquals(
        List.of(Duration.ofMinutes(1), Duration.ofMinutes(2)),
        rows.stream().map(row -> Duration.between(row.from(), row.to())).toList());
    assertEquals(List.of(false, true), rows.stream().map(LedgerRow::last).toList());
  }

  @Test
  void aSuspendedLeaseOutlivesTheBackend() throws Exception {
    Lease lease = broker.request(Sample.whole("a", 1));
    use(lease);
    suspend(lease);
    Lease other = broker.request(Sample.whole("b", 1));
    restart();
    assertEquals(LeaseState.SUSPENDED, state(lease));
    assertEquals(0, broker.sessions(lease));
    broker.end(other.id(), LeaseState.RELEASED, "");
    use(lease);
    assertEquals(LeaseState.ACTIVE, state(lease));
  }

  private void hold(Lease lease) throws LeaseException {
    Lease held = broker.suspensions().hold(lease.id(), PATIENCE, "maintenance");
    assertEquals(LeaseState.HELD, held.state());
  }

  @Test
  void aHeldLeaseWaitsForSomebodyToResumeItAndItsProgramIsToldWhy() throws Exception {
    Lease lease = broker.request(Sample.whole("a", 1));
    TestSession session = use(lease);
    hold(lease);
    session.call();
    session.call();
    String line = session.nextLine();
    assertTrue(line.contains("'outboard resume " + lease.id() + "'"), line);
    assertTrue(line.contains("maintenance"), line);
    assertEquals(LeaseState.HELD, state(lease));
    assertTrue(session.isSuspended());
    assertTrue(session.isToldNothing(), "it is told once");
    broker.renew(lease.id(), Duration.ofDays(1));
    clock.pass(Duration.ofHours(2));
    broker.tick();
    assertFalse(session.isStopped(), "it may be held for long");
    assertEquals(LeaseState.ACTIVE, broker.suspensions().resume(lease.id(), PATIENCE).state());
    session.awaitResumed();
  }

  @Test
  void aCallDuringTheSuspensionDoesNotEndAHold() throws Exception {
    Lease lease = broker.request(Sample.whole("a", 1));
    TestSession session = use(lease);
    session.callsWhenSuspended();
    hold(lease);
    assertTrue(session.nextLine().contains("outboard resume"));
    broker.tick();
    assertEquals(LeaseState.HELD, state(lease));
  }

  @Test
  void aSuspendedLeaseThatIsWantedCanBeHeld() throws Exception {
    Lease lease = broker.request(Sample.whole("a", 1));
    TestSession session = use(lease);
    suspend(lease);
    Lease other = broker.request(Sample.whole("b", 1));
    session.call();
    assertTrue(session.nextLine().contains("others have its GPUs"));
    hold(lease);
    assertTrue(session.nextLine().contains("outboard resume"));
    broker.end(other.id(), LeaseState.RELEASED, "");
    assertEquals(LeaseState.HELD, state(lease));
    broker.suspensions().suspend(lease.id(), PATIENCE, "idle");
    assertEquals(LeaseState.HELD, state(lease), "idleness does not end it either");
    broker.suspensions().resume(lease.id(), PATIENCE);
    session.awaitResumed();
  }

  @Test
  void aHoldRefusesProgramsAndOutlivesTheBackend() throws Exception {
    Lease lease = broker.request(Sample.whole("a", 1));
    use(lease);
    hold(lease);
    Lease other = broker.request(Sample.whole("b", 1));
    assertEquals(LeaseState.GRANTED, other.state(), "others may have its device");
    broker.end(other.id(), LeaseState.RELEASED, "");
    restart();
    assertEquals(LeaseState.HELD, state(lease));
    LeaseException e = assertThrows(LeaseException.class, () -> use(lease));
    assertTrue(e.getMessage().contains("outboard resume"), e::getMessage);
    assertEquals(LeaseState.IDLE, broker.suspensions().resume(lease.id(), PATIENCE).state());
    use(lease);
  }

  @Test
  void aHeldLeaseThatIsReleasedAddsNothingToTheLedger() throws Exception {
    Lease lease = broker.request(Sample.whole("a", 1));
    use(lease);
    clock.pass(Duration.ofMinutes(1));
    hold(lease);
    clock.pass(Duration.ofMinutes(1));
    broker.end(lease.id(), LeaseState.RELEASED, "");
    List<LedgerRow> rows = broker.ledger(LedgerQuery.since(Instant.EPOCH));
    assertEquals(
        List.of(Duration.ofMinutes(1)),
        rows.stream().map(row -> Duration.between(row.from(), row.to())).toList());
  }
}
