// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.supervision.SessionFigures;
import io.outboard.backend.suspend.DeviceMove;
import io.outboard.lease.Gpu;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseState;
import io.outboard.lease.LedgerQuery;
import io.outboard.lease.LedgerRow;
import io.outboard.lease.testkit.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Suspended leases that go on elsewhere, as others have their devices. */
final class RelocationTest extends BrokerCase {
  RelocationTest() {
    super(Sample.gpus(3));
  }

  /** A session that is suspended, and can go on elsewhere. */
  private TestSession putAside(Lease lease) throws Exception {
    TestSession session = use(lease);
    session.canMoveFromNow();
    suspend(lease);
    return session;
  }

  private static void goOn(TestSession session) throws InterruptedException {
    session.call();
    session.awaitResumed();
  }

  private List<Integer> gpus(Lease lease) throws LeaseException {
    return broker.find(lease.id()).gpus().stream().map(Gpu::number).toList();
  }

  private static DeviceMove move(int from, int to) {
    return new DeviceMove(Sample.gpus(3).get(from).uuid(), Sample.gpus(3).get(to).uuid());
  }

  @Test
  void aSessionThatIsAboutToEndKeepsNoLeaseFromMoving() throws Exception {
    Lease one = broker.request(Sample.whole("a", 1));
    TestSession ending = use(one);
    TestSession session = use(one);
    session.canMoveFromNow();
    ending.isOver();
    suspend(one);
    List<Integer> before = gpus(one);
    Lease two = broker.request(Sample.whole("b", 1));
    assertEquals(before, gpus(two));
    goOn(session);
    assertNotEquals(before, gpus(one));
  }

  @Test
  void whoseDeviceOthersHaveGoesOnOnAnother() throws Exception {
    Lease one = broker.request(Sample.whole("a", 1));
    TestSession session = putAside(one);
    Lease two = broker.request(Sample.whole("b", 1));
    assertEquals(gpus(one), gpus(two));
    goOn(session);
    assertEquals(List.of(move(0, 1)), session.moves());
    assertEquals(List.of(1), gpus(one));
    assertEquals(LeaseState.ACTIVE, state(one));
    assertEquals(List.of(2), gpus(broker.request(Sample.whole("c", 1))), "1 is not free");
    assertEquals(1, use(broker.find(one.id())).admitted().allotment().gpus().getFirst().number());
  }

  @Test
  void itGoesBackOnlyWhereItMust() throws Exception {
    Lease one = broker.request(Sample.whole("a", 1));
    TestSession session = putAside(one);
    goOn(session);
    assertEquals(List.of(), session.moves(), "its own device is free");
    assertEquals(List.of(0), gpus(one));
  }

  @Test
  void ofSeveralDevicesThoseAreReplacedThatOthersHave() throws Exception {
    Lease one = broker.request(Sample.whole("a", 2));
    TestSession session = putAside(one);
    Lease two = broker.request(Sample.whole("b", 1));
    assertEquals(List.of(0), gpus(two));
    goOn(session);
    assertEquals(List.of(move(0, 2)), session.moves());
    assertEquals(List.of(2, 1), gpus(one));
  }

  @Test
  void theLedgerHasBothDevices() throws Exception {
    Lease one = broker.request(Sample.whole("a", 1));
    clock.pass(Duration.ofSeconds(10));
    TestSession session = putAside(one);
    broker.request(Sample.whole("b", 1));
    goOn(session);
    broker.suspensions().awaitMoved(one.id());
    clock.pass(Duration.ofSeconds(20));
    session.end(SessionFigures.NOTHING);
    broker.end(one.id(), LeaseState.RELEASED, "");
    List<LedgerRow> rows =
        broker.ledger(LedgerQuery.since(Instant.EPOCH)).stream()
            .filter(row -> row.lease().equals(one.id()))
            .toList();
    List<String> uuids = rows.stream().map(row -> row.gpu().uuid()).toList();
    assertEquals(
        IntStream.range(0, 2).mapToObj(gpu -> Sample.gpus(3).get(gpu).uuid()).toList(), uuids);
  }

  @Test
  void whoCannotMoveWaits() throws Exception {
    Lease one = broker.request(Sample.whole("a", 1));
    TestSession session = use(one);
    suspend(one);
    Lease two = broker.request(Sample.whole("b", 1));
    session.call();
    assertEquals(LeaseState.SUSPENDED, state(one));
    assertTrue(session.isSuspended());
    broker.end(two.id(), LeaseState.RELEASED, "");
    session.awaitResumed();
    assertEquals(List.of(0), gpus(one));
  }

  @Test
  void aFailedDeviceIsNotGoneTo() throws Exception {
    Lease one = broker.request(Sample.whole("a", 1));
    TestSession session = putAside(one);
    broker.request(Sample.whole("b", 1));
    broker.failed("1", "fell off the bus");
    goOn(session);
    assertEquals(List.of(2), gpus(one));
  }

  @Test
  void afterTheBackendEndedItGoesOnWhereThereIsRoom() throws Exception {
    Lease one = broker.request(Sample.whole("a", 1));
    suspend(one);
    Lease two = broker.request(Sample.whole("b", 1));
    restart();
    use(broker.find(one.id()));
    assertEquals(List.of(1), gpus(one));
    assertEquals(List.of(0), gpus(two));
  }
}
