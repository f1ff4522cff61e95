// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.supervision.SessionFigures;
import io.outboard.lease.Gpu;
import io.outboard.lease.GpuId;
import io.outboard.lease.GpuUse;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.LeaseState;
import io.outboard.lease.LedgerQuery;
import io.outboard.lease.LedgerRow;
import io.outboard.lease.ServiceClass;
import io.outboard.lease.node.NodeOrders;
import io.outboard.lease.node.NodeReport;
import io.outboard.lease.node.Terms;
import io.outboard.lease.sqlite.SqliteLeaseStore;
import io.outboard.lease.testkit.Sample;
import io.outboard.lease.testkit.TestClock;
import io.outboard.patience.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A broker without devices, and nodes that have some; each with a store of its own. */
final class NodesTest extends NodesCase {
  /** Use that nobody has had. */
  private static final List<GpuUse> STOLEN =
      List.of(
          new GpuUse(new GpuId(Gpu.HERE, "GPU-0"), 9, 9, OptionalLong.of(9), OptionalLong.empty()));

  NodesTest() {
    super(1);
  }

  @Test
  void aLeaseHasTheTokenAndThePlaceOfItsNode() throws LeaseException {
    Lease asked = broker.request(Sample.whole("a", 1));
    assertEquals(LeaseState.GRANTED, asked.state());
    assertEquals(Optional.empty(), broker.token(asked), "the node does not know of it");
    exchangeAll();
    Lease lease = now(asked);
    Broker node = on(lease);
    assertEquals(
        node.token(node.find(lease.id())).map(Object::toString),
        broker.token(lease).map(Object::toString));
    assertEquals(
        List.of("tcp://" + node(lease)), new BrokerLeases(broker, () -> {}).use(lease).endpoints());
    assertEquals(lease.epoch(), node.find(lease.id()).epoch());
    assertEquals(lease.expires(), node.find(lease.id()).expires());
  }

  @Test
  void eachNodeHasOneAndTheThirdWaits() throws LeaseException {
    Lease first = granted();
    Lease second = granted();
    Lease third = granted();
    assertFalse(node(first).equals(node(second)));
    assertEquals(LeaseState.REQUESTED, third.state());
    assertEquals(LeaseState.RELEASED, release(first).state());
    exchangeAll();
    assertEquals(node(first), node(now(third)));
    assertTrue(broker.token(now(third)).isPresent());
  }

  @Test
  void theStateOfALeaseIsThatOnItsNode() throws LeaseException {
    Lease lease = granted();
    TestSession session = TestSession.start(on(lease).admissions().admit(holder(lease)));
    report(node(lease));
    assertEquals(LeaseState.ACTIVE, state(lease));
    assertEquals(1, broker.sessions(now(lease)));
    session.end(SessionFigures.NOTHING);
    report(node(lease));
    assertEquals(LeaseState.IDLE, state(lease));
    assertEquals(0, broker.sessions(now(lease)));
  }

  /** However long that takes. */
  @Test
  void nobodyElseGetsADeviceBeforeItsNodeHasEndedTheLease() throws LeaseException {
    Lease lease = granted();
    Lease other = granted();
    TestSession session = TestSession.start(on(lease).admissions().admit(holder(lease)));
    Lease waits = granted();
    clock.pass(SILENT);
    report(node(other));
    assertEquals(LeaseState.DRAINING, broker.end(lease.id(), LeaseState.REVOKED, "").state());
    clock.pass(Duration.ofDays(1));
    broker.tick();
    report(node(other));
    assertEquals(LeaseState.REQUESTED, state(waits));
    report(node(lease));
    assertEquals(LeaseState.DRAINING, state(lease), "it has no orders to end it yet");
    session.does(SessionFigures.NOTHING);
    exchangeAll();
    exchangeAll();
    assertEquals(LeaseState.REVOKED, state(lease));
    assertEquals(node(lease), node(now(waits)));
  }

  /** One that was made before the node knew of the lease says nothing of its end. */
  @Test
  void aReportOfThePastEndsNothing() throws LeaseException {
    String idle = node(broker.request(Sample.whole("a", 1))).equals("n1") ? "n2" : "n1";
    report(idle);
    Lease lease = broker.request(Sample.whole("a", 1));
    NodeOrders before = orders(idle);
    clock.pass(SILENT);
    Lease ending = broker.end(lease.id(), LeaseState.RELEASED, "");
    assertEquals(LeaseState.DRAINING, ending.state());
    nodes.get(idle).ordered().obey(before);
    NodeReport empty =
        new NodeReport(
            before.term(), before.version(), 0, List.of("tcp://x"), Sample.gpus(1), List.of());
    broker.nodes().report(idle, empty);
    assertEquals(LeaseState.DRAINING, state(lease), "the node may carry these orders out yet");
    exchange(idle);
    exchange(idle);
    assertEquals(LeaseState.RELEASED, state(lease));
  }

  @Test
  void aLeaseGoesOnWhileNoBrokerIsThere() throws LeaseException {
    Lease lease = granted();
    Broker node = on(lease);
    TestSession session = TestSession.start(node.admissions().admit(holder(lease)));
    clock.pass(Duration.ofMinutes(30));
    node.tick();
    assertEquals(LeaseState.ACTIVE, node.find(lease.id()).state());
    restart();
    broker.tick();
    assertEquals(LeaseState.GRANTED, state(lease));
    assertEquals(Optional.empty(), broker.token(now(lease)));
    exchangeAll();
    assertEquals(LeaseState.ACTIVE, state(lease));
    assertTrue(broker.token(now(lease)).isPresent());
    session.end(SessionFigures.NOTHING);
    assertEquals(LeaseState.RELEASED, release(now(lease)).state());
  }

  @Test
  void whatEndsOnItsNodeMeanwhileIsOverWhenTheBrokerIsBack() throws LeaseException {
    Lease lease = granted();
    clock.pass(Sample.HOUR.plusSeconds(1));
    on(lease).tick();
    restart();
    exchangeAll();
    exchangeAll();
    assertEquals(LeaseState.EXPIRED, state(lease));
    assertEquals(LeaseState.GRANTED, granted().state());
  }

  @Test
  void aNodeThatBeganAnewHasItsLeases() throws LeaseException {
    Lease lease = granted();
    String before = broker.token(lease).orElseThrow().digits();
    restart(node(lease));
    exchangeAll();
    assertEquals(LeaseState.GRANTED, state(lease));
    assertEquals(before, broker.token(now(lease)).orElseThrow().digits());
  }

  @Test
  void ordersOfABrokerOfThePastAreRefused() throws LeaseException {
    NodeOrders old = orders("n1");
    restart();
    exchangeAll();
    Lease lease = granted();
    Broker node = on(lease);
    assertThrows(LeaseException.class, () -> node.ordered().obey(old));
    assertEquals(LeaseState.GRANTED, node.find(lease.id()).state());
  }

  /** Another node's orders, or those of yesterday, with the grants of leases that are over. */
  @Test
  void grantsThatWereThereBeforeAreRefused() throws LeaseException {
    Lease lease = granted();
    NodeOrders yesterday = orders(node(lease));
    Lease next = release(lease);
    assertEquals(LeaseState.RELEASED, next.state());
    Broker node = on(lease);
    NodeOrders replayed = new NodeOrders(yesterday.term(), Long.MAX_VALUE, yesterday.orders());
    node.ordered().obey(replayed);
    assertTrue(node.find(lease.id()).state().isEnd());
    assertEquals(List.of(), node.alive());
    List<NodeOrders.Order> renamed = new ArrayList<>();
    for (NodeOrders.Order order : yesterday.orders()) {
      renamed.add(new NodeOrders.Order(order.action(), named("other", order.lease())));
    }
    node.ordered().obey(new NodeOrders(Terms.above(yesterday.term()), 1, renamed));
    assertEquals(List.of(), node.alive());
    NodeReport.Held refused = node.ordered().report(List.of()).held().getFirst();
    assertEquals(LeaseState.REVOKED, refused.state());
    assertTrue(refused.reason().contains("epoch"), refused::reason);
  }

  private static Lease named(String id, Lease lease) {
    return new Lease(
        id,
        lease.request(),
        lease.state(),
        lease.epoch(),
        lease.gpus(),
        lease.requested(),
        lease.granted(),
        lease.expires(),
        Instant.EPOCH,
        "");
  }

  @Test
  void aDeviceThatFailsOnItsNodeEndsItsLeaseAndIsNotGiven() throws LeaseException {
    Lease lease = granted();
    on(lease).failed("0", "for this test");
    exchangeAll();
    assertEquals(LeaseState.REVOKED, state(lease));
    assertTrue(now(lease).reason().contains("for this test"), now(lease)::reason);
    Lease other = granted();
    assertFalse(node(other).equals(node(lease)));
    assertThrows(LeaseException.class, () -> broker.request(Sample.whole("a", 2)));
  }

  /** They would be those of two programs. */
  @Test
  void allGpusOfALeaseAreOfOneNode() throws LeaseException {
    LeaseException refused =
        assertThrows(LeaseException.class, () -> broker.request(Sample.whole("a", 2)));
    assertTrue(refused.getMessage().contains("1 of 2"), refused::getMessage);
    nodes.get("n1").close();
    start("n1", Sample.gpus(2));
    exchangeAll();
    Lease small = broker.request(Sample.whole("a", 1));
    Lease two = broker.request(Sample.whole("a", 2));
    assertEquals(node(small).equals("n1") ? LeaseState.REQUESTED : LeaseState.GRANTED, two.state());
    Lease over = release(small);
    exchangeAll();
    assertEquals(LeaseState.RELEASED, over.state());
    assertEquals(List.of("n1", "n1"), now(two).gpus().stream().map(Gpu::node).toList());
    assertThrows(LeaseException.class, () -> broker.request(Sample.handed("a", 1)));
  }

  @Test
  void aSilentNodeGetsNoLeaseAndKeepsWhatItHas() throws LeaseException {
    Lease lease = granted();
    clock.pass(SILENT);
    Lease waits = broker.request(Sample.whole("a", 1));
    assertEquals(LeaseState.REQUESTED, waits.state());
    assertEquals(LeaseState.GRANTED, state(lease));
    exchangeAll();
    assertEquals(LeaseState.GRANTED, state(waits));
  }

  @Test
  void aNodeThatLiesHarmsItselfAlone() throws LeaseException {
    Lease lease = granted();
    String other = node(lease).equals("n1") ? "n2" : "n1";
    NodeReport.Held stolen =
        new NodeReport.Held(
            lease.id(), lease.epoch(), LeaseState.RELEASED, "", Optional.empty(), 7, 0, STOLEN);
    long version = Long.MAX_VALUE;
    broker
        .nodes()
        .report(
            other,
            new NodeReport(1, version, 0, List.of("tcp://evil"), Sample.gpus(1), List.of(stolen)));
    assertEquals(LeaseState.GRANTED, state(lease));
    assertEquals(0, broker.sessions(now(lease)));
    assertEquals(
        List.of("tcp://" + node(lease)),
        new BrokerLeases(broker, () -> {}).use(now(lease)).endpoints());
  }

  @Test
  void aRemovedNodeIsNotKnownAndItsLeasesAreOver() throws LeaseException {
    Lease lease = granted();
    String name = node(lease);
    broker.members().remove(name);
    String invitation = broker.members().invite(name);
    assertEquals(LeaseState.REVOKED, state(lease));
    assertFalse(broker.members().check(name, invitation));
    String secret = broker.members().join(name, invitation);
    assertTrue(broker.members().check(name, secret));
    assertFalse(broker.members().check("n3", secret));
    assertThrows(LeaseException.class, () -> broker.members().join(name, invitation));
  }

  /** The GPU is given to nobody before its node says that it is free. */
  @Test
  void aSpareLeaseOfANodeGivesWayAndGoesOnAfterwards() throws Exception {
    LeaseRequest wanted = Sample.whole("a", 1).toBuilder().service(ServiceClass.SPARE).build();
    Lease spare = broker.request(wanted);
    Lease other = broker.request(wanted);
    exchangeAll();
    TestSession session = TestSession.start(on(now(spare)).admissions().admit(holder(now(spare))));
    report(node(now(spare)));
    Lease better = broker.request(Sample.whole("b", 1));
    Lease displaced = isAside(spare) ? spare : other;
    assertEquals(LeaseState.REQUESTED, state(better));
    Patience.until(
        "the node has put it aside",
        () -> {
          exchangeAll();
          return state(better) == LeaseState.GRANTED;
        });
    assertEquals(LeaseState.SUSPENDED, state(displaced));
    exchangeAll();
    Lease had = now(better);
    assertTrue(broker.token(had).isPresent());
    assertEquals(node(had), node(now(displaced)));
    restart();
    exchangeAll();
    assertEquals(LeaseState.SUSPENDED, state(displaced), "the next broker knows it");
    assertEquals(LeaseState.RELEASED, release(now(better)).state());
    Patience.until(
        "it goes on",
        () -> {
          exchangeAll();
          LeaseState there = on(now(displaced)).find(displaced.id()).state();
          return there == LeaseState.ACTIVE || there == LeaseState.IDLE;
        });
    session.awaitResumed();
    assertFalse(state(displaced).isSuspended());
  }

  /** The report that it is aside comes behind its end: it is heard, and the lease is over. */
  @Test
  void aSpareLeaseThatEndsWhileItIsPutAsideIsOver() throws Exception {
    LeaseRequest wanted = Sample.whole("a", 1).toBuilder().service(ServiceClass.SPARE).build();
    Lease one = broker.request(wanted);
    Lease other = broker.request(wanted);
    exchangeAll();
    Lease better = broker.request(Sample.whole("b", 1));
    Lease displaced = isAside(one) ? one : other;
    String node = node(now(displaced));
    obey(node);
    Patience.until(
        "the node has put it aside",
        () -> nodes.get(node).find(displaced.id()).state() == LeaseState.HELD);
    Broker leading = broker;
    synchronized (leading) {
      leading.end(now(displaced), LeaseState.RELEASED, clock.instant(), "enough");
    }
    report(node);
    exchangeAll();
    exchangeAll();
    assertEquals(LeaseState.RELEASED, state(displaced));
    assertEquals(node, node(now(better)));
  }

  private boolean isAside(Lease lease) throws LeaseException {
    return orders(node(now(lease))).orders().getFirst().action() == NodeOrders.Action.SUSPEND;
  }

  /**
   * Nodes obey again, what the store does not know ends, and no GPU has two holders meanwhile; also
   * where as many brokers have begun before as behind the backup.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void afterAnOlderBackupNodesObeyOnlyWhereThatIsSaid(int later) throws Exception {
    Lease known = granted();
    close();
    Path backup = Files.copy(folder.resolve("leases.db"), folder.resolve("backup.db"));
    open();
    exchangeAll();
    Lease unknown = granted();
    assertEquals(LeaseState.GRANTED, unknown.state());
    Broker its = on(unknown);
    TestSession session = TestSession.start(its.admissions().admit(holder(unknown)));
    for (int i = 0; i < later; i++) {
      restart();
      exchangeAll();
    }
    close();
    Files.copy(backup, folder.resolve("leases.db"), StandardCopyOption.REPLACE_EXISTING);
    open();
    assertThrows(LeaseException.class, this::exchangeAll);
    nodes.keySet().forEach(this::report);
    Lease waits = broker.request(Sample.whole("b", 1));
    assertEquals(LeaseState.REQUESTED, waits.state(), "nodes do not obey this broker");
    broker.nodes().restored();
    nodes.keySet().forEach(this::report);
    assertEquals(LeaseState.REQUESTED, state(waits), "another lease has the GPU");
    exchangeAll();
    assertTrue(session.isStopped());
    exchangeAll();
    assertEquals(LeaseState.GRANTED, state(waits));
    assertTrue(broker.token(now(waits)).isPresent(), "its epoch is behind all that were taken");
    assertEquals(node(unknown), node(now(waits)));
    assertEquals(LeaseState.GRANTED, state(known));
  }

  @Test
  void aNodeGoesOutForMaintenance() throws LeaseException {
    broker.cordon("n1", "a new fan");
    assertEquals("n2", node(granted()));
    assertEquals(LeaseState.REQUESTED, granted().state());
    broker.uncordon("n1");
    assertEquals(2, broker.alive().stream().filter(one -> one.state().holds()).count());
  }

  /** It would refuse another one, as it has no room. */
  @Test
  void aNodeWithALeaseThatNobodyKnowsGetsNoOther() throws LeaseException {
    broker.members().remove("n2");
    NodeOrders orders = orders("n1");
    NodeReport.Held unknown =
        new NodeReport.Held(
            "unknown", 7, LeaseState.DRAINING, "", Optional.empty(), 1, 0, List.of());
    broker
        .nodes()
        .report(
            "n1",
            new NodeReport(
                orders.term(), 1, 7, List.of("tcp://n1"), Sample.gpus(1), List.of(unknown)));
    Lease waits = broker.request(Sample.whole("a", 1));
    assertEquals(LeaseState.REQUESTED, waits.state());
    exchange("n1");
    assertEquals(LeaseState.GRANTED, state(waits));
  }

  @Test
  void aNodeThatLiesOfTermsAndEpochsBringsNumbersToNoEnd() throws Exception {
    broker.nodes().restored();
    for (long lie : List.of(1L << 60, 1L << 61, Long.MAX_VALUE)) {
      NodeReport report = new NodeReport(lie, 1, lie, List.of("tcp://n1"), List.of(), List.of());
      broker.nodes().report("n1", report);
    }
    exchange("n2");
    exchange("n2");
    Lease lease = granted();
    assertEquals("n2", node(lease));
    assertTrue(broker.token(lease).isPresent());
    assertTrue(lease.epoch() <= (1L << 60) + 2, () -> "" + lease.epoch());
  }

  /** A day ahead; then it is set back, which its upkeep tells the leases. */
  @Test
  void aNodeWhoseClockIsWrongEndsALeaseInItsTime() throws LeaseException {
    TestClock wrong = new TestClock();
    wrong.pass(Duration.ofDays(1));
    broker.members().join("n3", broker.members().invite("n3"));
    Broker node = new Broker(SqliteLeaseStore.open(folder.resolve("n3.db")), Sample.gpus(1), wrong);
    node.ordered().are("http://broker");
    nodes.put("n3", node);
    exchangeAll();
    List<Lease> all = List.of(granted(), granted(), granted());
    Lease lease = all.stream().filter(one -> node(one).equals("n3")).findFirst().orElseThrow();
    Duration left = Duration.between(clock.instant(), lease.expires());
    assertEquals(wrong.instant().plus(left), node.find(lease.id()).expires());
    Duration back = Duration.ofDays(-2);
    node.shift(back, () -> wrong.pass(back));
    exchangeAll();
    assertEquals(wrong.instant().plus(left), node.find(lease.id()).expires());
    wrong.pass(left.minusSeconds(1));
    node.tick();
    assertEquals(LeaseState.GRANTED, node.find(lease.id()).state());
    wrong.pass(Duration.ofSeconds(1));
    node.tick();
    assertEquals(LeaseState.EXPIRED, node.find(lease.id()).state());
  }

  @Test
  void aRenewalReachesTheNode() throws LeaseException {
    Lease lease = granted();
    Lease renewed = broker.renew(lease.id(), Duration.ofHours(9));
    exchangeAll();
    assertEquals(renewed.expires(), on(lease).find(lease.id()).expires());
  }

  /** Bytes come with each report, and the last ones with the end; a lost answer changes nothing. */
  @Test
  void whatProgramsDidIsInTheLedgerOnce() throws LeaseException {
    Lease lease = granted();
    TestSession session = TestSession.start(on(lease).admissions().admit(holder(lease)));
    session.does(new SessionFigures(1, 10, 20));
    report(node(lease));
    report(node(lease));
    restart();
    session.does(new SessionFigures(2, 11, 22));
    exchangeAll();
    restart(node(lease));
    exchangeAll();
    TestSession next = TestSession.start(on(lease).admissions().admit(holder(lease)));
    next.end(new SessionFigures(3, 100, 200));
    assertEquals(LeaseState.RELEASED, release(now(lease)).state());
    LedgerRow row = broker.ledger(LedgerQuery.since(Instant.EPOCH)).getFirst();
    assertEquals(List.of(111L, 222L), List.of(row.bytesIn(), row.bytesOut()));
    assertEquals(node(lease), row.gpu().node());
  }

  @Test
  void theNodeItselfLeasesNothing() {
    LeaseException refused =
        assertThrows(LeaseException.class, () -> nodes.get("n1").request(Sample.whole("a", 1)));
    assertTrue(refused.getMessage().contains("http://broker"), refused::getMessage);
  }
}
