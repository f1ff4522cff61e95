// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.supervision.SessionFigures;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.LeaseState;
import io.outboard.lease.ServiceClass;
import io.outboard.lease.schedule.Explanation;
import io.outboard.lease.testkit.Sample;
import io.outboard.patience.Patience;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Leases that give way to others, and leases for a date, on two devices. */
final class ServiceClassTest extends BrokerCase {
  private static final Duration KEEP = Duration.ofMinutes(1);

  ServiceClassTest() {
    super(Sample.gpus(2));
  }

  private static LeaseRequest spare(String tenant, int gpus) {
    return Sample.whole(tenant, gpus).toBuilder().service(ServiceClass.SPARE).build();
  }

  private LeaseRequest from(Duration later, LeaseRequest request) {
    return request.toBuilder().begin(clock.instant().plus(later)).build();
  }

  private void await(Lease lease, LeaseState state) throws Exception {
    Patience.until(lease.id() + " is " + state, () -> state(lease) == state);
  }

  @Test
  void aSpareLeaseGivesWayAndGoesOnAfterwards() throws Exception {
    Lease spare = broker.request(spare("a", 2));
    TestSession session = use(spare);
    Lease better = broker.request(Sample.whole("b", 1));
    await(better, LeaseState.GRANTED);
    assertEquals(LeaseState.SUSPENDED, state(spare));
    assertTrue(session.isSuspended());
    assertTrue(now(spare).reason().contains("better class"), now(spare)::reason);
    session.call();
    Lease another = broker.request(Sample.whole("c", 1));
    assertEquals(LeaseState.GRANTED, state(another), "nothing is kept for one that is spare");
    broker.end(better.id(), LeaseState.RELEASED, "");
    assertEquals(LeaseState.SUSPENDED, state(spare));
    broker.end(another.id(), LeaseState.RELEASED, "");
    session.awaitResumed();
    await(spare, LeaseState.ACTIVE);
  }

  @Test
  void aSpareLeaseThatCannotBeSuspendedEnds() throws Exception {
    Lease spare = broker.request(spare("a", 2));
    TestSession session = use(spare);
    session.refuses("it shares memory");
    Lease better = broker.request(Sample.whole("b", 2));
    Patience.until("the session is told to end", session::isStopped);
    session.end(SessionFigures.NOTHING);
    await(better, LeaseState.GRANTED);
    assertEquals(LeaseState.REVOKED, state(spare));
    assertTrue(now(spare).reason().contains("it shares memory"), now(spare)::reason);
  }

  /** It would be put aside for nothing otherwise, again and again. */
  @Test
  void aSpareLeaseThatMadeRoomDoesNotTakeItBackFromWhoWaitsForMore() throws Exception {
    Lease one = broker.request(spare("a", 1));
    Lease other = broker.request(spare("a", 1));
    TestSession slow = use(other);
    CountDownLatch moment = new CountDownLatch(1);
    slow.suspendsAfter(moment);
    Lease better = broker.request(Sample.whole("b", 2));
    await(one, LeaseState.SUSPENDED);
    broker.tick();
    assertEquals(LeaseState.SUSPENDED, state(one));
    assertEquals(Optional.of(Explanation.Cause.SPARE), broker.explain(better.id()).cause());
    moment.countDown();
    await(better, LeaseState.GRANTED);
    assertEquals(LeaseState.SUSPENDED, state(one));
  }

  @Test
  void aDateIsKept() throws Exception {
    Lease dated = broker.request(from(Duration.ofHours(2), Sample.whole("a", 2)));
    assertEquals(LeaseState.REQUESTED, dated.state());
    Lease shorter = broker.request(Sample.whole("b", 1));
    assertEquals(LeaseState.GRANTED, shorter.state());
    LeaseException refused =
        assertThrows(
            LeaseException.class, () -> broker.renew(shorter.id(), Duration.ofMinutes(121)));
    assertTrue(refused.getMessage().contains(dated.id()), refused::getMessage);
    assertEquals(
        clock.instant().plus(Duration.ofHours(2)),
        broker.renew(shorter.id(), Duration.ofHours(2)).expires());
    Lease longer = broker.request(lasting(Duration.ofHours(3), Sample.whole("c", 1)));
    assertEquals(LeaseState.REQUESTED, longer.state());
    assertEquals(Optional.of(Explanation.Cause.KEPT), broker.explain(longer.id()).cause());
    assertEquals(Duration.ofHours(2), broker.explain(longer.id()).longest());
    assertEquals(Optional.of(clock.instant().plus(KEEP)), broker.next());
    clock.pass(Duration.ofHours(2));
    broker.tick();
    assertEquals(LeaseState.GRANTED, state(dated));
    assertEquals(clock.instant().plus(Sample.HOUR), now(dated).expires());
  }

  private static LeaseRequest lasting(Duration time, LeaseRequest request) {
    return request.toBuilder().duration(time).keep(KEEP).build();
  }

  @Test
  void whatCannotBePromisedIsRefusedAtOnce() throws Exception {
    Lease held = broker.request(Sample.whole("a", 1));
    assertThrows(
        LeaseException.class,
        () -> broker.request(from(Duration.ofMinutes(30), Sample.whole("b", 2))));
    assertThrows(
        LeaseException.class, () -> broker.request(from(Duration.ZERO, Sample.whole("b", 1))));
    assertEquals(List.of(held.id()), broker.alive().stream().map(Lease::id).toList());
    Lease first = broker.request(from(Duration.ofHours(1), Sample.whole("b", 2)));
    assertThrows(
        LeaseException.class,
        () -> broker.request(from(Duration.ofMinutes(90), Sample.whole("c", 1))));
    restart();
    assertEquals(first.request().begin(), now(first).request().begin());
    clock.pass(Duration.ofHours(1));
    broker.tick();
    assertEquals(LeaseState.GRANTED, state(first));
  }

  @Test
  void aRequestIsExplainedAndNotMade() throws Exception {
    assertEquals(gpus, broker.explain(Sample.whole("a", 2)).devices());
    Lease held = broker.request(Sample.whole("a", 1));
    Explanation two = broker.explain(Sample.whole("a", 2));
    assertEquals(Optional.of(Explanation.Cause.ROOM), two.cause());
    assertEquals(held.expires(), two.earliest());
    assertEquals(1, two.most());
    assertEquals(1, broker.alive().size());
    assertEquals(held.gpus(), broker.explain(held.id()).devices());
    assertThrows(LeaseException.class, () -> broker.explain(Sample.whole("a", 3)));
    assertFalse(broker.explain(held.id()).cause().isPresent());
    assertEquals(Instant.EPOCH, held.request().begin());
  }

  /** What tenants had before a restart counts after it. */
  @Test
  void whoHasHadLessOfLateComesFirst() throws Exception {
    Lease had = broker.request(Sample.whole("rich", 2));
    clock.pass(Duration.ofMinutes(50));
    broker.end(had.id(), LeaseState.RELEASED, "");
    restart();
    Lease held = broker.request(Sample.whole("other", 2));
    Lease rich = broker.request(Sample.whole("rich", 2));
    clock.pass(Duration.ofMillis(1));
    Lease poor = broker.request(Sample.whole("poor", 2));
    broker.end(held.id(), LeaseState.RELEASED, "");
    assertEquals(LeaseState.GRANTED, state(poor));
    assertEquals(LeaseState.REQUESTED, state(rich));
  }
}
