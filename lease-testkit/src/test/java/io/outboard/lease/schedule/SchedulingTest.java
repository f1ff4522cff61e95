// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.lease.Architecture;
import io.outboard.lease.Gpu;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.Placement;
import io.outboard.lease.ServiceClass;
import io.outboard.lease.testkit.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SchedulingTest {
  private final List<Gpu> gpus = Sample.gpus(4);
  private int asked;

  private Lease ask(LeaseRequest request) {
    asked++;
    return Lease.requested("lease" + asked, request, Sample.NOON.plusSeconds(asked));
  }

  private static List<String> ids(List<Scheduling.Grant> grants) {
    return grants.stream().map(grant -> grant.lease().id()).toList();
  }

  private static List<Integer> numbers(Scheduling.Grant grant) {
    return grant.gpus().stream().map(Gpu::number).toList();
  }

  private static List<Scheduling.Grant> grants(
      List<Gpu> gpus, List<Lease> holding, List<Lease> waiting) {
    return Scheduling.decide(at(Sample.NOON, gpus, holding, waiting)).grants();
  }

  private static Situation at(
      Instant now, List<Gpu> gpus, List<Lease> holding, List<Lease> waiting) {
    return new Situation(now, gpus, holding, waiting, Map.of());
  }

  @Test
  void packingKeepsDevicesWhole() {
    List<Scheduling.Grant> grants =
        grants(
            gpus,
            List.of(),
            List.of(ask(Sample.part("a", 1, 500, 0)), ask(Sample.part("b", 1, 500, 0))));
    assertEquals(List.of(0), numbers(grants.get(0)));
    assertEquals(List.of(0), numbers(grants.get(1)));
  }

  @Test
  void spreadingSharesAsLittleAsPossible() {
    LeaseRequest half = Sample.request("a", 1, 500, 0, 0, Placement.SPREAD);
    List<Scheduling.Grant> grants =
        grants(gpus, List.of(), List.of(ask(half), ask(half), ask(half)));
    assertEquals(List.of(0), numbers(grants.get(0)));
    assertEquals(List.of(1), numbers(grants.get(1)));
    assertEquals(List.of(2), numbers(grants.get(2)));
  }

  @Test
  void memoryCountsBesideShares() {
    Lease much =
        Sample.holding("much", Sample.part("a", 1, 100, 60 * Sample.GIB), gpus.subList(0, 1));
    List<Scheduling.Grant> grants =
        grants(
            gpus.subList(0, 1),
            List.of(much),
            List.of(
                ask(Sample.part("b", 1, 100, 30 * Sample.GIB)),
                ask(lasting(Duration.ofHours(2), Sample.part("c", 1, 100, 20 * Sample.GIB)))));
    assertEquals(0, grants.size(), "the first one waits, and keeps the device that it waits for");
  }

  @Test
  void theHigherPriorityComesFirst() {
    Lease low = ask(Sample.whole("a", 4));
    Lease high = ask(Sample.request("b", 4, LeaseRequest.WHOLE, 0, 1, Placement.PACK));
    assertEquals(List.of(high.id()), ids(grants(gpus, List.of(), List.of(low, high))));
  }

  @Test
  void whoHoldsLeastComesFirst() {
    Lease held = Sample.holding("held", Sample.whole("rich", 2), gpus.subList(0, 2));
    List<Lease> waiting =
        List.of(
            ask(Sample.whole("rich", 1)),
            ask(Sample.whole("rich", 1)),
            ask(Sample.whole("poor", 1)));
    List<Scheduling.Grant> grants = grants(gpus, List.of(held), waiting);
    assertEquals(List.of("lease3", "lease1"), ids(grants));
  }

  @Test
  void aLargeOneIsNotPassedByForEver() {
    Lease held = Sample.holding("held", Sample.whole("a", 2), gpus.subList(0, 2));
    Lease large = ask(Sample.whole("b", 4));
    Lease small = ask(lasting(Sample.HOUR.plusSeconds(1), Sample.whole("c", 1)));
    assertEquals(List.of(), grants(gpus, List.of(held), List.of(large, small)));
  }

  private static LeaseRequest lasting(Duration time, LeaseRequest request) {
    return request.toBuilder().duration(time).build();
  }

  @Test
  void aShortOneHasWhatIsKeptForALargeOneUntilThen() {
    Lease held = Sample.holding("held", Sample.whole("a", 2), gpus.subList(0, 2));
    Lease large = ask(Sample.whole("b", 4));
    Lease small = ask(Sample.whole("c", 1));
    assertEquals(List.of(small.id()), ids(grants(gpus, List.of(held), List.of(large, small))));
  }

  @Test
  void devicesOfADateAreKept() {
    Lease dated = ask(from(Sample.NOON.plus(Sample.HOUR), Sample.whole("a", 3)));
    Lease longer = ask(lasting(Duration.ofHours(2), Sample.whole("b", 1)));
    Lease alsoLonger = ask(lasting(Duration.ofHours(2), Sample.whole("c", 1)));
    Lease fitting = ask(Sample.whole("d", 1));
    List<Lease> waiting = List.of(dated, longer, alsoLonger, fitting);
    assertEquals(List.of(longer.id(), fitting.id()), ids(grants(gpus, List.of(), waiting)));
    Situation then =
        at(
            Sample.NOON.plus(Sample.HOUR),
            gpus,
            List.of(),
            List.of(dated, ask(Sample.whole("b", 4))));
    assertEquals(List.of(dated.id()), ids(Scheduling.decide(then).grants()));
  }

  private static LeaseRequest from(Instant begin, LeaseRequest request) {
    return request.toBuilder().begin(begin).build();
  }

  @Test
  void nobodyIsPromisedWhatOthersHaveOrWaitFor() {
    Instant later = Sample.NOON.plus(Duration.ofMinutes(30));
    Lease held = Sample.holding("held", Sample.whole("a", 2), gpus.subList(0, 2));
    Situation some = at(Sample.NOON, gpus, List.of(held), List.of());
    assertTrue(Scheduling.canPromise(some, from(later, Sample.whole("b", 2))));
    assertFalse(Scheduling.canPromise(some, from(later, Sample.whole("b", 3))));
    assertTrue(
        Scheduling.canPromise(some, from(Sample.NOON.plus(Sample.HOUR), Sample.whole("b", 4))));
    Situation awaited = at(Sample.NOON, gpus, List.of(held), List.of(ask(Sample.whole("c", 4))));
    assertFalse(Scheduling.canPromise(awaited, from(later, Sample.whole("b", 2))));
  }

  @Test
  void whatIsPromisedAndCannotBeKeptIsKnown() {
    Instant later = Sample.NOON.plus(Duration.ofMinutes(90));
    Lease dated = ask(from(later, Sample.whole("a", 4)));
    Lease held = Sample.holding("held", Sample.whole("a", 2), gpus.subList(0, 2));
    assertEquals(
        List.of(), Scheduling.unkept(at(Sample.NOON, gpus, List.of(held), List.of(dated))));
    Lease renewed = held.until(later.plusSeconds(1));
    assertEquals(
        List.of(dated), Scheduling.unkept(at(Sample.NOON, gpus, List.of(renewed), List.of(dated))));
  }

  private static LeaseRequest of(ServiceClass service, LeaseRequest request) {
    return request.toBuilder().service(service).build();
  }

  @Test
  void betterClassesComeFirstWhateverThePriority() {
    Lease spare = ask(of(ServiceClass.SPARE, Sample.whole("a", 2)));
    Lease shared = ask(Sample.request("b", 2, LeaseRequest.WHOLE, 0, 9, Placement.PACK));
    Lease guaranteed = ask(of(ServiceClass.GUARANTEED, Sample.whole("c", 2)));
    assertEquals(
        List.of(guaranteed.id(), shared.id()),
        ids(grants(gpus, List.of(), List.of(spare, shared, guaranteed))));
  }

  @Test
  void spareLeasesArePutAsideForBetterOnesAndNoMoreThanAreInTheWay() {
    Lease one =
        Sample.holding("one", of(ServiceClass.SPARE, Sample.whole("a", 2)), gpus.subList(0, 2));
    Lease other =
        Sample.holding("other", of(ServiceClass.SPARE, Sample.whole("a", 1)), gpus.subList(2, 3));
    Lease wanting = ask(Sample.whole("b", 1));
    List<Lease> holding = List.of(one, other);
    Scheduling.Decision free = Scheduling.decide(at(Sample.NOON, gpus, holding, List.of(wanting)));
    assertEquals(List.of(wanting.id()), ids(free.grants()));
    assertEquals(Set.of(), free.asides());
    Lease two = ask(Sample.whole("b", 2));
    Scheduling.Decision full =
        Scheduling.decide(at(Sample.NOON, gpus.subList(0, 3), holding, List.of(two)));
    assertEquals(List.of(), full.grants());
    assertEquals(Set.of("one"), full.asides());
    assertEquals(2, full.awaited().size());
  }

  @Test
  void aSpareLeaseDisplacesNobodyAndWaitsForNoClaim() {
    Lease spare = Sample.holding("spare", of(ServiceClass.SPARE, Sample.whole("a", 4)), gpus);
    Lease next = ask(of(ServiceClass.SPARE, Sample.whole("b", 1)));
    assertEquals(
        Set.of(), Scheduling.decide(at(Sample.NOON, gpus, List.of(spare), List.of(next))).asides());
    Lease held = Sample.holding("held", Sample.whole("a", 2), gpus.subList(0, 2));
    Lease large = ask(Sample.whole("b", 4));
    Lease filling = ask(of(ServiceClass.SPARE, lasting(Duration.ofDays(9), Sample.whole("c", 2))));
    assertEquals(List.of(filling.id()), ids(grants(gpus, List.of(held), List.of(large, filling))));
  }

  @Test
  void itIsSaidWhyOneWaits() {
    Lease held = Sample.holding("held", Sample.whole("a", 2), gpus.subList(0, 2));
    Lease large = ask(Sample.whole("b", 4));
    Lease longer = ask(lasting(Duration.ofHours(2), Sample.whole("c", 2)));
    Situation now = at(Sample.NOON, gpus, List.of(held), List.of(large, longer));
    Explanation room = Scheduling.explain(now, large);
    assertEquals(Optional.of(Explanation.Cause.ROOM), room.cause());
    assertEquals(held.expires(), room.earliest());
    assertEquals(List.of("held"), room.leases());
    assertEquals(2, room.most());
    Explanation kept = Scheduling.explain(now, longer);
    assertEquals(Optional.of(Explanation.Cause.KEPT), kept.cause());
    assertEquals(List.of(large.id()), kept.leases());
    assertEquals(Sample.HOUR, kept.longest());
    assertEquals(0, kept.most());
    Lease half = Sample.holding("half", Sample.part("a", 4, 400, 0), gpus);
    Explanation share =
        Scheduling.explain(at(Sample.NOON, gpus, List.of(half), List.of(large)), large);
    assertEquals(600, share.share());
    Explanation absent =
        Scheduling.explain(at(Sample.NOON, gpus.subList(0, 3), List.of(), List.of(large)), large);
    assertEquals(Optional.of(Explanation.Cause.ABSENT), absent.cause());
    Explanation granted =
        Scheduling.explain(at(Sample.NOON, gpus, List.of(), List.of(large)), large);
    assertEquals(Optional.empty(), granted.cause());
    assertEquals(gpus, granted.devices());
  }

  /** What cannot be served for now holds up nobody. */
  @Test
  void whoWaitsForDevicesThatAreAbsentKeepsNone() {
    Lease large = ask(Sample.whole("b", 4));
    Lease small = ask(lasting(Duration.ofDays(2), Sample.whole("c", 3)));
    assertEquals(
        List.of(small.id()), ids(grants(gpus.subList(0, 3), List.of(), List.of(large, small))));
  }

  @Test
  void whatWasLongAgoCountsLess() {
    FairShare fair = new FairShare(Sample.NOON);
    fair.had("early", Sample.NOON.minus(FairShare.HALF_LIFE.multipliedBy(2)), 300);
    fair.had("late", Sample.NOON, 100);
    assertEquals(75, fair.seconds().get("early"), 0.001);
    assertEquals(100, fair.seconds().get("late"), 0.001);
    List<Lease> waiting = List.of(ask(Sample.whole("late", 4)), ask(Sample.whole("early", 4)));
    Situation now = new Situation(Sample.NOON, gpus, List.of(), waiting, fair.seconds());
    assertEquals("early", Scheduling.decide(now).grants().getFirst().lease().tenant());
    Lease held = Sample.holding("held", Sample.part("late", 2, 500, 0), gpus.subList(0, 2));
    fair.pass(Sample.NOON.plusSeconds(10), List.of(held));
    fair.end(Sample.NOON.plusSeconds(15), held);
    assertEquals(115, fair.seconds().get("late"), 0.01);
  }

  @Test
  void devicesThatItCannotUseAreNotKept() {
    List<Gpu> mixed = new ArrayList<>(gpus);
    mixed.add(new Gpu(4, "GPU-4", "NVIDIA H200", 140 * Sample.GIB));
    Lease held = Sample.holding("held", Sample.whole("a", 1), List.of(mixed.getLast()));
    Lease large = ask(Sample.part("b", 1, LeaseRequest.WHOLE, 100 * Sample.GIB));
    Lease small = ask(Sample.whole("c", 1));
    assertEquals(List.of(small.id()), ids(grants(mixed, List.of(held), List.of(large, small))));
  }

  @Test
  void whoWantsAGenerationGetsThat() {
    List<Gpu> mixed = new ArrayList<>(gpus);
    mixed.add(
        new Gpu(4, "GPU-4", "NVIDIA H200", 140 * Sample.GIB, Optional.of(Architecture.HOPPER)));
    Lease hopper = ask(Sample.of(Architecture.HOPPER, Sample.whole("a", 1)));
    Lease turing = ask(Sample.of(Architecture.TURING, Sample.whole("b", 1)));
    List<Scheduling.Grant> grants = grants(mixed, List.of(), List.of(turing, hopper));
    assertEquals(List.of(hopper.id()), ids(grants));
    assertEquals(List.of(mixed.getLast()), grants.getFirst().gpus());
  }

  @Test
  void noLeaseIsBesideSessionsWithoutOne() {
    LeaseRequest common = Sample.part("default", 4, 0, 0);
    Lease session = Sample.holding("session", common, gpus);
    Lease part = ask(Sample.part("a", 1, 100, 0));
    assertEquals(List.of(), grants(gpus, List.of(session), List.of(part)));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void noDeviceIsGivenAwayTwice(long seed) {
    Random random = new Random(seed);
    List<Lease> holding = new ArrayList<>();
    List<Lease> waiting = new ArrayList<>();
    for (int step = 0; step < 300; step++) {
      if (random.nextInt(3) > 0) {
        waiting.add(ask(Sample.any(random)));
      } else if (!holding.isEmpty()) {
        holding.remove(random.nextInt(holding.size()));
      }
      for (Scheduling.Grant grant : grants(gpus, holding, waiting)) {
        waiting.remove(grant.lease());
        holding.add(Sample.holding(grant.lease().id(), grant.lease().request(), grant.gpus()));
        assertEquals(grant.lease().request().gpus(), grant.gpus().stream().distinct().count());
      }
      assertTrue(fit(holding), () -> "seed " + seed + ": " + holding);
    }
  }

  /** Nobody who waits is passed by for ever, though others come and go all the time. */
  @Test
  void theLargeOneHasItsTurnAmongManyShortOnes() {
    Random random = new Random(20261128);
    List<Lease> holding = new ArrayList<>();
    List<Lease> waiting = new ArrayList<>();
    FairShare fair = new FairShare(Sample.NOON);
    Instant now = Sample.NOON;
    Lease large = null;
    for (int minute = 0; minute < 600; minute++, now = now.plusSeconds(60)) {
      Instant moment = now;
      fair.pass(now, holding);
      holding.removeIf(lease -> !lease.expires().isAfter(moment));
      asked++;
      Duration time = Duration.ofMinutes(1 + random.nextInt(90));
      waiting.add(
          Lease.requested("small" + asked, lasting(time, Sample.whole("t" + asked % 3, 1)), now));
      if (minute == 100) {
        large = Lease.requested("large", Sample.whole("big", 4), now);
        waiting.add(large);
      }
      for (Scheduling.Grant grant :
          Scheduling.decide(new Situation(now, gpus, holding, waiting, fair.seconds())).grants()) {
        waiting.remove(grant.lease());
        holding.add(
            Sample.holding(grant.lease().id(), grant.lease().request(), grant.gpus())
                .until(now.plus(grant.lease().request().duration())));
      }
      boolean has = holding.stream().anyMatch(lease -> lease.id().equals("large"));
      assertTrue(large == null || has || minute <= 190, "90 minutes are the longest of the others");
      if (has) {
        return;
      }
    }
  }

  /** Added up anew, not by the code that is tested. */
  private static boolean fit(List<Lease> holding) {
    Map<String, Integer> shares = new HashMap<>();
    Map<String, Long> memory = new HashMap<>();
    for (Lease lease : holding) {
      for (Gpu gpu : lease.gpus()) {
        shares.merge(gpu.uuid(), lease.request().share(), Integer::sum);
        memory.merge(gpu.uuid(), lease.request().memoryOf(gpu), Long::sum);
      }
    }
    return shares.values().stream().allMatch(share -> share <= LeaseRequest.WHOLE)
        && memory.values().stream().allMatch(bytes -> bytes <= 80 * Sample.GIB);
  }

  /** Every tenant asks all the time; over time each is to get the same. */
  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13})
  void tenantsGetTheSame(long seed) {
    Random random = new Random(seed);
    Map<String, Integer> had = new HashMap<>();
    List<Lease> holding = new ArrayList<>();
    List<Lease> waiting = new ArrayList<>();
    for (int step = 0; step < 2_000; step++) {
      for (String tenant : List.of("a", "b", "c", "greedy", "greedy", "greedy")) {
        if (waiting.stream().filter(lease -> lease.tenant().equals(tenant)).count() < 10) {
          waiting.add(ask(Sample.whole(tenant, 1)));
        }
      }
      for (Scheduling.Grant grant : grants(gpus, holding, waiting)) {
        waiting.remove(grant.lease());
        holding.add(Sample.holding(grant.lease().id(), grant.lease().request(), grant.gpus()));
      }
      holding.forEach(lease -> had.merge(lease.tenant(), 1, Integer::sum));
      holding.remove(random.nextInt(holding.size()));
    }
    int least = had.values().stream().min(Integer::compare).orElseThrow();
    int most = had.values().stream().max(Integer::compare).orElseThrow();
    assertTrue(most < 1.1 * least, () -> "seed " + seed + ": " + had);
  }

  /** Nodes with so many devices each. */
  private static List<Gpu> nodes(int... each) {
    List<Gpu> all = new ArrayList<>();
    for (int node = 0; node < each.length; node++) {
      String name = "n" + node;
      Sample.gpus(each[node]).forEach(gpu -> all.add(gpu.on(name)));
    }
    return all;
  }

  private static LeaseRequest ofSeveral(int gpus, int mostNodes, Placement how) {
    return Sample.whole("a", gpus).toBuilder().mostNodes(mostNodes).placement(how).build();
  }

  /** The nodes of the devices that a request gets, in their order; none where it waits. */
  private List<String> where(List<Gpu> there, LeaseRequest request) {
    return grants(there, List.of(), List.of(ask(request))).stream()
        .flatMap(grant -> grant.gpus().stream())
        .map(Gpu::node)
        .toList();
  }

  @Test
  void packedOnAsFewNodesAsPossible() {
    List<Gpu> there = nodes(1, 3, 2, 4);
    assertEquals(
        List.of("n3", "n3", "n3"), where(nodes(1, 2, 2, 3), ofSeveral(3, 2, Placement.PACK)));
    assertEquals(
        List.of("n3", "n3", "n3", "n3", "n0"), where(there, ofSeveral(5, 4, Placement.PACK)));
    assertEquals(
        List.of("n3", "n3", "n3", "n3", "n2", "n2"), where(there, ofSeveral(6, 2, Placement.PACK)));
    assertEquals(List.of(), where(there, ofSeveral(8, 2, Placement.PACK)));
  }

  @Test
  void spreadInEqualPartsOverAsManyNodesAsItMayHave() {
    List<Gpu> there = nodes(1, 3, 2, 4);
    assertEquals(List.of("n3", "n3", "n1", "n1"), where(there, ofSeveral(4, 2, Placement.SPREAD)));
    assertEquals(List.of("n3", "n1", "n2", "n0"), where(there, ofSeveral(4, 4, Placement.SPREAD)));
    assertEquals(
        List.of("n3", "n3", "n3", "n1", "n1", "n1", "n2", "n2", "n0"),
        where(there, ofSeveral(9, 4, Placement.SPREAD)));
    assertEquals(List.of(), where(there, ofSeveral(8, 2, Placement.SPREAD)));
  }

  /** Devices and limits at random: what is enough is found, whatever the placement. */
  @Test
  void enoughIsFoundHoweverItIsPlaced() {
    Random random = new Random(53);
    for (int round = 0; round < 500; round++) {
      int[] each = random.ints(5, 0, 5).toArray();
      int gpus = 1 + random.nextInt(12);
      int most = 1 + random.nextInt(5);
      int enough = IntStream.of(each).map(n -> -n).sorted().limit(most).map(n -> -n).sum();
      for (Placement how : Placement.values()) {
        List<String> where = where(nodes(each), ofSeveral(gpus, most, how));
        String what = "%d of %s on %d, %s".formatted(gpus, Arrays.toString(each), most, how);
        assertEquals(enough >= gpus ? gpus : 0, where.size(), what);
        assertTrue(where.stream().distinct().count() <= most, what);
      }
    }
  }

  @Test
  void anExplanationCountsTheDevicesOfAllItsNodes() {
    Lease lease = ask(ofSeveral(8, 2, Placement.PACK));
    Situation now = at(Sample.NOON, nodes(1, 3, 2, 4), List.of(), List.of(lease));
    assertEquals(7, Scheduling.explain(now, lease).most());
  }

  private static LeaseRequest guaranteed(String tenant, int within) {
    return Sample.whole(tenant, 4).toBuilder()
        .service(ServiceClass.GUARANTEED)
        .within(Duration.ofSeconds(within))
        .build();
  }

  @Test
  void whoIsToBeGrantedSoonerComesFirst() {
    Lease without = ask(guaranteed("a", 0));
    Lease later = ask(guaranteed("b", 900));
    Lease sooner = ask(guaranteed("c", 600));
    List<Lease> order =
        Scheduling.order(at(Sample.NOON, gpus, List.of(), List.of(without, later, sooner)));
    assertEquals(List.of(sooner, later, without), order);
  }
}
