// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.supervision.HostAccess;
import io.outboard.backend.supervision.SessionFigures;
import io.outboard.lease.Gpu;
import io.outboard.lease.GpuId;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.LeaseState;
import io.outboard.lease.LedgerQuery;
import io.outboard.lease.LedgerRow;
import io.outboard.lease.Placement;
import io.outboard.lease.ServiceClass;
import io.outboard.lease.node.NodeReport;
import io.outboard.lease.testkit.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Leases whose GPUs are of two nodes, which each have a part of them. */
final class SeveralNodesTest extends NodesCase {
  private static final SessionFigures SOME = new SessionFigures(1, 100, 200);

  SeveralNodesTest() {
    super(2);
  }

  private static LeaseRequest both(int gpus) {
    return Sample.whole("a", gpus).toBuilder().mostNodes(2).build();
  }

  /** One that both nodes have taken. */
  private Lease granted(LeaseRequest request) throws LeaseException {
    Lease lease = broker.request(request);
    // The first one is told what the other has; what it says then is told to users.
    exchangeAll();
    exchangeAll();
    return now(lease);
  }

  private Lease whole() throws LeaseException {
    return granted(both(4));
  }

  private static String other(Lease lease) {
    return node(lease).equals("n1") ? "n2" : "n1";
  }

  private TestSession startOn(String node, Lease lease) throws LeaseException {
    return TestSession.start(nodes.get(node).admissions().admit(holder(lease)));
  }

  private LeaseState stateOn(String node, Lease lease) throws LeaseException {
    return nodes.get(node).find(lease.id()).state();
  }

  private Map<GpuId, Long> rows(Lease lease) {
    return broker.ledger(LedgerQuery.since(Instant.EPOCH)).stream()
        .filter(row -> row.lease().equals(lease.id()))
        .map(LedgerRow::gpu)
        .collect(Collectors.groupingBy(Gpu::id, Collectors.counting()));
  }

  /** One row for each GPU of each node, although they have the same UUIDs. */
  private void assertRowsOnce(Lease lease) {
    Map<GpuId, Long> rows = rows(lease);
    assertEquals(4, rows.size(), rows::toString);
    assertTrue(rows.values().stream().allMatch(count -> count == 1), rows::toString);
  }

  @Test
  void eachNodeHasItsPartAndTheFirstOneKnowsTheOther() throws LeaseException {
    Lease lease = whole();
    assertEquals(LeaseState.GRANTED, lease.state());
    assertEquals(
        List.of(node(lease), node(lease), other(lease), other(lease)),
        lease.gpus().stream().map(Gpu::node).toList());
    for (Broker node : nodes.values()) {
      assertEquals(2, node.find(lease.id()).gpus().size());
    }
    List<HostAccess> others = startOn(node(lease), lease).admitted().others();
    assertEquals(1, others.size());
    assertEquals(other(lease), others.getFirst().endpoint().host());
    Broker second = nodes.get(other(lease));
    assertEquals(
        second.token(second.find(lease.id())).orElseThrow().digits(),
        others.getFirst().token().orElseThrow().digits());
    assertEquals(List.of(), startOn(other(lease), lease).admitted().others());
  }

  /** A holder of the token can start a program at once. */
  @Test
  void thereIsNoTokenBeforeAllNodesHaveTakenTheirParts() throws LeaseException {
    Lease lease = broker.request(both(4));
    exchange(node(lease));
    exchange(node(lease));
    assertTrue(broker.token(now(lease)).isEmpty());
    LeaseException early =
        assertThrows(LeaseException.class, () -> startOn(node(lease), lease).end(SOME));
    assertTrue(early.getMessage().contains("node " + other(lease)), early::getMessage);
    exchange(other(lease));
    assertTrue(broker.token(now(lease)).isEmpty(), "the first one does not know of it");
    exchange(node(lease));
    assertTrue(broker.token(now(lease)).isPresent());
  }

  @Test
  void aPackedLeaseHasOneNodeWhereThatHasRoom() throws LeaseException {
    Lease packed = granted(both(2));
    assertEquals(
        List.of(node(packed), node(packed)), packed.gpus().stream().map(Gpu::node).toList());
    assertTrue(broker.token(packed).isPresent());
    assertEquals(List.of(), startOn(node(packed), packed).admitted().others());
  }

  @Test
  void aSpreadLeaseHasBoth() throws LeaseException {
    Lease spread = granted(both(2).toBuilder().placement(Placement.SPREAD).build());
    assertEquals(2, spread.gpus().stream().map(Gpu::node).distinct().count());
  }

  @Test
  void fourGpusOfOneNodeAreNowhere() {
    LeaseException never =
        assertThrows(LeaseException.class, () -> broker.request(Sample.whole("a", 4)));
    assertTrue(never.getMessage().contains("2 of 4"), never::getMessage);
  }

  /** They cannot be suspended. */
  @Test
  void noneIsSpare() {
    assertThrows(
        IllegalArgumentException.class,
        () -> both(4).toBuilder().service(ServiceClass.SPARE).build());
  }

  @Test
  void aReleaseEndsAllParts() throws LeaseException {
    Lease lease = whole();
    TestSession first = startOn(node(lease), lease);
    TestSession second = startOn(other(lease), lease);
    report(node(lease));
    assertEquals(LeaseState.ACTIVE, state(lease));
    assertEquals(1, broker.sessions(now(lease)));
    first.does(SOME);
    second.does(SOME);
    assertEquals(LeaseState.RELEASED, release(lease).state());
    assertTrue(first.isStopped() && second.isStopped());
    assertRowsOnce(lease);
    List<Long> bytes =
        broker.ledger(LedgerQuery.since(Instant.EPOCH)).stream().map(LedgerRow::bytesIn).toList();
    assertEquals(2 * SOME.bytesIn(), bytes.stream().mapToLong(Long::longValue).sum());
  }

  @Test
  void aPartThatEndsTakesTheOthersWithIt() throws LeaseException {
    Lease lease = whole();
    nodes.get(other(lease)).failed("0", "for this test");
    exchange(other(lease));
    assertEquals(LeaseState.DRAINING, state(lease));
    exchange(node(lease));
    exchange(node(lease));
    assertEquals(LeaseState.REVOKED, state(lease));
    assertTrue(now(lease).reason().contains("for this test"), now(lease)::reason);
    assertRowsOnce(lease);
  }

  /** Others have the GPUs of the node that is there; those of the other one are nobody's. */
  @Test
  void aSilentNodeHoldsItsPartAlone() throws LeaseException {
    Lease lease = whole();
    String silent = other(lease);
    clock.pass(SILENT);
    exchange(node(lease));
    Lease ending = broker.end(lease.id(), LeaseState.RELEASED, "");
    assertEquals(LeaseState.DRAINING, ending.state());
    exchange(node(lease));
    exchange(node(lease));
    assertEquals(LeaseState.DRAINING, state(lease));
    assertEquals(2, rows(lease).size());
    Lease next = broker.request(Sample.whole("b", 2));
    assertEquals(node(lease), node(next));
    assertEquals(LeaseState.REQUESTED, broker.request(Sample.whole("b", 1)).state());
    exchange(silent);
    exchange(silent);
    assertEquals(LeaseState.RELEASED, state(lease));
    assertRowsOnce(lease);
  }

  @Test
  void aRemovedNodeEndsTheLease() throws LeaseException {
    Lease lease = whole();
    TestSession session = startOn(node(lease), lease);
    broker.members().remove(other(lease));
    exchange(node(lease));
    exchange(node(lease));
    assertTrue(session.isStopped());
    assertEquals(LeaseState.REVOKED, state(lease));
    assertRowsOnce(lease);
  }

  /** It ends as somebody has said before. */
  @Test
  void aRemovedNodeEndsItsPartOfAReleasedLease() throws LeaseException {
    Lease lease = whole();
    clock.pass(SILENT);
    exchange(node(lease));
    assertEquals(LeaseState.DRAINING, broker.end(lease.id(), LeaseState.RELEASED, "").state());
    exchange(node(lease));
    broker.members().remove(other(lease));
    exchange(node(lease));
    assertEquals(LeaseState.RELEASED, state(lease));
    assertRowsOnce(lease);
  }

  /** Each by itself, as each knows when. */
  @Test
  void partsExpireWhileNoBrokerIsThere() throws LeaseException {
    Lease lease = whole();
    clock.pass(Sample.HOUR.plusSeconds(1));
    nodes.values().forEach(Broker::tick);
    for (String node : List.of("n1", "n2")) {
      assertEquals(LeaseState.EXPIRED, stateOn(node, lease));
    }
    restart();
    exchangeAll();
    exchangeAll();
    assertEquals(LeaseState.EXPIRED, state(lease));
    assertRowsOnce(lease);
  }

  /** New programs of a lease begin while no broker is there, also in a new process of the node. */
  @Test
  void theFirstNodeRemembersTheOther() throws LeaseException {
    Lease lease = whole();
    restart(node(lease));
    assertEquals(1, startOn(node(lease), lease).admitted().others().size());
    restart();
    exchange(node(lease));
    assertEquals(1, startOn(node(lease), lease).admitted().others().size());
    exchangeAll();
    assertTrue(broker.token(now(lease)).isPresent());
    assertEquals(LeaseState.RELEASED, release(now(lease)).state());
    exchangeAll();
    restart(node(lease));
    assertEquals(List.of(), nodes.get(node(lease)).ordered().parts(lease));
  }

  @Test
  void aRenewalIsForAllParts() throws LeaseException {
    Lease lease = whole();
    Lease longer = broker.renew(lease.id(), Duration.ofHours(9));
    exchangeAll();
    for (Broker node : nodes.values()) {
      assertEquals(longer.expires(), node.find(lease.id()).expires());
    }
  }

  /** It would have the first one use a socket of its own machine. */
  @Test
  void aNodeThatNamesNoOtherMachineIsNotUsed() throws LeaseException {
    Lease lease = whole();
    NodeReport told = nodes.get(other(lease)).ordered().report(List.of("unix:/run/other.sock"));
    broker.nodes().report(other(lease), told);
    exchange(node(lease));
    LeaseException refused =
        assertThrows(LeaseException.class, () -> startOn(node(lease), lease).end(SOME));
    assertTrue(refused.getMessage().contains("not afar"), refused::getMessage);
  }

  /** A node that has nothing new to say has nobody asked again. */
  @Test
  void theSameReportsChangeNoOrders() throws LeaseException {
    Lease lease = whole();
    exchangeAll();
    long version = orders(node(lease)).version();
    exchangeAll();
    assertEquals(version, orders(node(lease)).version());
  }

  /** A node tells of its own GPUs alone, whatever it says. */
  @Test
  void aNodeCountsNothingForTheOther() throws LeaseException {
    Lease lease = whole();
    startOn(other(lease), lease).does(SOME);
    NodeReport told = nodes.get(other(lease)).ordered().report(List.of("tcp://x"));
    broker.nodes().report(other(lease), told);
    broker.nodes().report(other(lease), told);
    release(lease);
    Map<String, Long> bytes =
        broker.ledger(LedgerQuery.since(Instant.EPOCH)).stream()
            .collect(
                Collectors.groupingBy(
                    row -> row.gpu().node(), Collectors.summingLong(LedgerRow::bytesIn)));
    assertEquals(Map.of(node(lease), 0L, other(lease), SOME.bytesIn()), bytes);
  }
}
