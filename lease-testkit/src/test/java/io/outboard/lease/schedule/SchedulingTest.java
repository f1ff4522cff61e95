// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.lease.Architecture;
import io.outboard.lease.Gpu;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.Placement;
import io.outboard.lease.testkit.Sample;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
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

  @Test
  void packingKeepsDevicesWhole() {
    List<Scheduling.Grant> grants =
        Scheduling.grants(
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
        Scheduling.grants(gpus, List.of(), List.of(ask(half), ask(half), ask(half)));
    assertEquals(List.of(0), numbers(grants.get(0)));
    assertEquals(List.of(1), numbers(grants.get(1)));
    assertEquals(List.of(2), numbers(grants.get(2)));
  }

  @Test
  void memoryCountsBesideShares() {
    Lease much =
        Sample.holding("much", Sample.part("a", 1, 100, 60 * Sample.GIB), gpus.subList(0, 1));
    List<Scheduling.Grant> grants =
        Scheduling.grants(
            gpus.subList(0, 1),
            List.of(much),
            List.of(
                ask(Sample.part("b", 1, 100, 30 * Sample.GIB)),
                ask(Sample.part("c", 1, 100, 20 * Sample.GIB))));
    assertEquals(0, grants.size(), "the first one waits, and keeps the device that it waits for");
  }

  @Test
  void theHigherPriorityComesFirst() {
    Lease low = ask(Sample.whole("a", 4));
    Lease high = ask(Sample.request("b", 4, LeaseRequest.WHOLE, 0, 1, Placement.PACK));
    assertEquals(List.of(high.id()), ids(Scheduling.grants(gpus, List.of(), List.of(low, high))));
  }

  @Test
  void whoHoldsLeastComesFirst() {
    Lease held = Sample.holding("held", Sample.whole("rich", 2), gpus.subList(0, 2));
    List<Lease> waiting =
        List.of(
            ask(Sample.whole("rich", 1)),
            ask(Sample.whole("rich", 1)),
            ask(Sample.whole("poor", 1)));
    List<Scheduling.Grant> grants = Scheduling.grants(gpus, List.of(held), waiting);
    assertEquals(List.of("lease3", "lease1"), ids(grants));
  }

  @Test
  void aLargeOneIsNotPassedByForEver() {
    Lease held = Sample.holding("held", Sample.whole("a", 2), gpus.subList(0, 2));
    Lease large = ask(Sample.whole("b", 4));
    Lease small = ask(Sample.whole("c", 1));
    assertEquals(List.of(), Scheduling.grants(gpus, List.of(held), List.of(large, small)));
  }

  @Test
  void devicesThatItCannotUseAreNotKept() {
    List<Gpu> mixed = new ArrayList<>(gpus);
    mixed.add(new Gpu(4, "GPU-4", "NVIDIA H200", 140 * Sample.GIB));
    Lease held = Sample.holding("held", Sample.whole("a", 1), List.of(mixed.getLast()));
    Lease large = ask(Sample.part("b", 1, LeaseRequest.WHOLE, 100 * Sample.GIB));
    Lease small = ask(Sample.whole("c", 1));
    assertEquals(
        List.of(small.id()), ids(Scheduling.grants(mixed, List.of(held), List.of(large, small))));
  }

  @Test
  void whoWantsAGenerationGetsThat() {
    List<Gpu> mixed = new ArrayList<>(gpus);
    mixed.add(
        new Gpu(4, "GPU-4", "NVIDIA H200", 140 * Sample.GIB, Optional.of(Architecture.HOPPER)));
    Lease hopper = ask(Sample.of(Architecture.HOPPER, Sample.whole("a", 1)));
    Lease turing = ask(Sample.of(Architecture.TURING, Sample.whole("b", 1)));
    List<Scheduling.Grant> grants = Scheduling.grants(mixed, List.of(), List.of(turing, hopper));
    assertEquals(List.of(hopper.id()), ids(grants));
    assertEquals(List.of(mixed.getLast()), grants.getFirst().gpus());
  }

  @Test
  void noLeaseIsBesideSessionsWithoutOne() {
    LeaseRequest common = Sample.part("default", 4, 0, 0);
    Lease session = Sample.holding("session", common, gpus);
    Lease part = ask(Sample.part("a", 1, 100, 0));
    assertEquals(List.of(), Scheduling.grants(gpus, List.of(session), List.of(part)));
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
      for (Scheduling.Grant grant : Scheduling.grants(gpus, holding, waiting)) {
        waiting.remove(grant.lease());
        holding.add(Sample.holding(grant.lease().id(), grant.lease().request(), grant.gpus()));
        assertEquals(grant.lease().request().gpus(), grant.gpus().stream().distinct().count());
      }
      assertTrue(fit(holding), () -> "seed " + seed + ": " + holding);
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
      for (Scheduling.Grant grant : Scheduling.grants(gpus, holding, waiting)) {
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
}
