// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.library.Allotment;
import io.outboard.backend.supervision.SessionFigures;
import io.outboard.lease.IdleLimits;
import io.outboard.lease.IdleStep;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.LeaseState;
import io.outboard.lease.LedgerQuery;
import io.outboard.lease.LedgerRow;
import io.outboard.lease.Sharing;
import io.outboard.lease.testkit.Sample;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Leases that use a device at the same time, through MPS. */
final class MpsTest extends BrokerCase {
  MpsTest() {
    super(Sample.gpus(1), Sharing.MPS);
  }

  private Allotment allotment(LeaseRequest request) throws LeaseException {
    return use(broker.request(request)).admitted().allotment();
  }

  @Test
  void aShareIsAPartOfTheMultiprocessorsAndNoTime() throws LeaseException {
    Allotment half = allotment(Sample.part("a", 1, 500, Sample.GIB));
    assertEquals(50, half.percent());
    assertFalse(half.isShared(), "no time slices");
    assertTrue(half.isLimited(), "memory has its limit");
    assertEquals(13, allotment(Sample.part("b", 1, 125, Sample.GIB)).percent());
    assertEquals(1, allotment(Sample.part("c", 1, 1, Sample.GIB)).percent());
  }

  @Test
  void whoIsAloneHasAllOfIt() throws LeaseException {
    assertEquals(Allotment.WHOLE, allotment(Sample.whole("a", 1)).percent());
  }

  @Test
  void aShareStaysAsLongAsProgramsRun() throws LeaseException {
    Lease lease = broker.request(Sample.part("a", 1, 500, Sample.GIB));
    TestSession session = use(lease);
    assertThrows(LeaseException.class, () -> broker.share(lease.id(), 250));
    assertThrows(LeaseException.class, () -> broker.share(lease.id(), LeaseRequest.WHOLE));
    session.end(SessionFigures.NOTHING);
    broker.share(lease.id(), 250);
    assertEquals(25, use(now(lease)).admitted().allotment().percent());
  }

  @Test
  void noLimitSuspendsIt() {
    IdleLimits limits = IdleLimits.NONE.with(IdleStep.SUSPEND, Duration.ofMinutes(5));
    LeaseRequest request = Sample.idle(Sample.whole("a", 1), limits);
    assertThrows(LeaseException.class, () -> broker.request(request));
  }

  @Test
  void timeIsNotMeasured() throws LeaseException {
    Lease lease = broker.request(Sample.part("a", 1, 500, Sample.GIB));
    use(lease).end(SessionFigures.NOTHING);
    clock.pass(Duration.ofMinutes(1));
    broker.end(lease.id(), LeaseState.RELEASED, "");
    List<LedgerRow> rows = broker.ledger(LedgerQuery.since(Sample.NOON));
    assertEquals(Optional.empty(), rows.getFirst().busy());
  }
}
