// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.library.Allotment;
import io.outboard.backend.supervision.Admitted;
import io.outboard.backend.supervision.SessionFigures;
import io.outboard.lease.Form;
import io.outboard.lease.Gpu;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseState;
import io.outboard.lease.LedgerQuery;
import io.outboard.lease.LedgerRow;
import io.outboard.lease.testkit.Sample;
import io.outboard.pool.broker.BrokerCase;
import io.outboard.pool.broker.TestSession;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Devices that fail: whose leases end, and who gets them then. */
final class FailureTest extends BrokerCase {
  private static final String WHY = "Xid 79, fallen off the bus";

  FailureTest() {
    super(Sample.gpus(2));
  }

  private static List<Integer> numbers(Admitted admitted) {
    return admitted.allotment().gpus().stream().map(Allotment.Gpu::number).toList();
  }

  @Test
  void itsLeasesEndAndOthersGoOn() throws Exception {
    Lease one = broker.request(Sample.whole("a", 1));
    Lease two = broker.request(Sample.whole("b", 1));
    TestSession first = use(one);
    TestSession second = use(two);
    broker.failed("0", WHY);
    assertTrue(first.isStopped());
    assertEquals(LeaseState.REVOKED, now(one).state());
    assertEquals("GPU 0 failed: " + WHY, now(one).reason());
    assertFalse(second.isStopped());
    assertEquals(LeaseState.ACTIVE, now(two).state());
  }

  @Test
  void nobodyGetsItUntilSomebodySaysSo() throws Exception {
    broker.failed(gpus.getFirst().uuid(), WHY);
    broker.failed("0", "it is lost");
    assertEquals(WHY, broker.failure(gpus.getFirst()).orElseThrow(), "what was said first");
    LeaseException both =
        assertThrows(LeaseException.class, () -> broker.request(Sample.whole("a", 2)));
    assertTrue(both.getMessage().contains("1 of 2"), both::getMessage);
    assertEquals(List.of(gpus.get(1)), broker.request(Sample.whole("a", 1)).gpus());
    Lease waiting = broker.request(Sample.whole("a", 1));
    assertEquals(LeaseState.REQUESTED, waiting.state());
    assertThrows(LeaseException.class, () -> broker.readmit("1"));
    broker.readmit("0");
    assertEquals(List.of(gpus.getFirst()), now(waiting).gpus());
  }

  /** Who has it keeps it, others wait, and it is still out when the backend begins anew. */
  @Test
  void whatIsOutForMaintenanceIsGivenToNobodyElse() throws Exception {
    Lease holds = broker.request(Sample.whole("a", 1));
    TestSession session = use(holds);
    broker.cordon("0", "a fan");
    assertFalse(session.isStopped());
    assertEquals(List.of(gpus.get(1)), broker.request(Sample.whole("b", 1)).gpus());
    Lease both = broker.request(Sample.whole("c", 2));
    assertEquals(LeaseState.REQUESTED, both.state());
    List<Form> devices = new ControlCommands(broker).rows("devices", new Form());
    assertEquals(
        List.of("a fan", ""), devices.stream().map(device -> device.get("cordoned")).toList());
    restart();
    assertEquals("a fan", broker.cordon(gpus.getFirst()).orElseThrow());
    assertThrows(LeaseException.class, () -> broker.cordon("7", ""));
    broker.uncordon("GPU-0");
    assertEquals(
        "", new ControlCommands(broker).rows("devices", new Form()).getFirst().get("cordoned"));
  }

  @Test
  void aWaitingLeaseGetsWhatIsBackFromMaintenance() throws Exception {
    broker.cordon("0", "");
    broker.cordon("1", "");
    Lease waiting = broker.request(Sample.whole("a", 1));
    assertEquals(LeaseState.REQUESTED, waiting.state());
    broker.uncordon("1");
    assertEquals(List.of(gpus.get(1)), now(waiting).gpus());
  }

  @Test
  void aSuspendedLeaseOfItEndsToo() throws Exception {
    Lease lease = broker.request(Sample.whole("a", 1));
    TestSession session = use(lease);
    suspend(lease);
    broker.failed("0", WHY);
    assertTrue(session.isStopped());
    assertEquals(LeaseState.REVOKED, now(lease).state());
  }

  @Test
  void whatIsMissingAfterARestartIsNobodysAndItsLeasesEnd() throws Exception {
    Lease lost = broker.request(Sample.whole("a", 1));
    Lease kept = broker.request(Sample.whole("b", 1));
    use(lost);
    clock.pass(Duration.ofMinutes(5));
    broker.checkpoint();
    close();
    clock.pass(Duration.ofMinutes(7));
    Gpu renumbered = new Gpu(0, "GPU-1", "NVIDIA A100", 80 * Sample.GIB);
    open(List.of(renumbered));
    assertEquals(LeaseState.REVOKED, state(lost));
    assertEquals(
        "GPU GPU-0 is missing: it was not there when the backend started", now(lost).reason());
    LedgerRow row = broker.ledger(LedgerQuery.since(Sample.NOON)).getFirst();
    assertEquals(Duration.ofMinutes(5), Duration.between(row.from(), row.to()));
    assertEquals(LeaseState.GRANTED, state(kept));
    assertEquals(List.of(renumbered), now(kept).gpus(), "it has another number now");
    assertEquals(List.of(0), numbers(use(kept).admitted()));
    List<Form> devices = new ControlCommands(broker).rows("devices", new Form());
    assertEquals(
        List.of("GPU-1", "GPU-0"), devices.stream().map(device -> device.get("uuid")).toList());
    assertTrue(devices.getLast().get("failed").startsWith("missing"));
    assertThrows(LeaseException.class, () -> broker.readmit("GPU-0"));
    assertEquals(LeaseState.REQUESTED, state(broker.request(Sample.whole("c", 1))));
    restart();
    assertEquals(
        List.of("GPU-0"), broker.alive().getLast().gpus().stream().map(Gpu::uuid).toList());
  }

  @Test
  void oneGpuOfSeveralIsEnoughAndSuspendedLeasesEndToo() throws Exception {
    Lease both = broker.request(Sample.whole("a", 2));
    suspend(both);
    close();
    open(gpus.subList(0, 1));
    assertEquals(LeaseState.REVOKED, state(both));
    assertEquals(gpus.subList(0, 1), broker.request(Sample.whole("b", 1)).gpus());
  }

  @Test
  void whoHasItHandedOverKeepsIt() throws Exception {
    Lease lease = broker.request(Sample.handed("a", 1));
    close();
    open(gpus.subList(1, 2));
    assertEquals(LeaseState.GRANTED, state(lease), "a virtual machine has it");
    restart();
    assertEquals(gpus.subList(1, 2), broker.request(Sample.whole("b", 1)).gpus());
    broker.end(lease.id(), LeaseState.RELEASED, "");
    assertEquals(gpus.subList(0, 1), broker.request(Sample.whole("c", 1)).gpus());
  }

  @Test
  void sessionsWithoutALeaseHaveWhatIsLeft() throws Exception {
    TestSession session = TestSession.start(broker.admissions().admitWithout("somebody", ""));
    assertTrue(session.admitted().allotment().isEverything());
    broker.failed("0", WHY);
    assertFalse(session.isStopped());
    TestSession next = TestSession.start(broker.admissions().admitWithout("somebody", ""));
    assertEquals(List.of(1), numbers(next.admitted()));
    broker.failed("1", WHY);
    assertTrue(session.isStopped());
    assertTrue(next.isStopped());
    assertEquals(List.of(), broker.alive());
    assertThrows(LeaseException.class, () -> broker.admissions().admitWithout("somebody", ""));
    session.end(SessionFigures.NOTHING);
  }
}
