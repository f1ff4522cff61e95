// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.simulate;

import io.outboard.lease.Gpu;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.schedule.Scheduling;
import io.outboard.lease.schedule.Situation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** What a decision costs as a pool grows: ten leases share each GPU, and a thousand more wait. */
final class Growth {
  private static final int LEASES_OF_A_GPU = 10;
  private static final int WAITING = 1_000;
  private static final int DECISIONS = 15;
  private static final int WARM = 5;

  private Growth() {}

  /**
   * A size, and its cost.
   *
   * @param milliseconds of a decision, the median
   * @param mebibytes that leases and devices take
   */
  record Point(int gpus, int leases, double milliseconds, double mebibytes) {}

  static Point measure(int count) {
    long before = used();
    Instant now = Simulation.BEGIN;
    List<Gpu> gpus = Simulation.fleet(count);
    List<Lease> holding = new ArrayList<>();
    for (int i = 0; i < count * LEASES_OF_A_GPU; i++) {
      Lease asked = request("held" + i, 1, LeaseRequest.WHOLE / LEASES_OF_A_GPU, i);
      Gpu gpu = gpus.get(i / LEASES_OF_A_GPU);
      holding.add(Simulation.granted(new Scheduling.Grant(asked, List.of(gpu)), now));
    }
    double mebibytes = (used() - before) / (double) (1 << 20);
    List<Lease> waiting = new ArrayList<>();
    for (int i = 0; i < WAITING; i++) {
      waiting.add(request("waits" + i, 1 << i % 4, LeaseRequest.WHOLE, i));
    }
    Situation situation = new Situation(now, gpus, holding, waiting, Map.of());
    long[] took = new long[DECISIONS];
    for (int i = -WARM; i < DECISIONS; i++) {
      long begin = System.nanoTime();
      Scheduling.Decision decision = Scheduling.decide(situation);
      if (!decision.grants().isEmpty()) {
        throw new IllegalStateException("nothing is free");
      }
      took[Math.max(i, 0)] = System.nanoTime() - begin;
    }
    Arrays.sort(took);
    return new Point(count, holding.size(), took[DECISIONS / 2] / 1e6, mebibytes);
  }

  private static Lease request(String id, int gpus, int share, int number) {
    LeaseRequest request =
        LeaseRequest.builder()
            .tenant("vc" + number % 27)
            .gpus(gpus)
            .share(share)
            .duration(Duration.ofSeconds(3_600 + number % 3_600))
            .build();
    return Lease.requested(id, request, Simulation.BEGIN.plusMillis(number));
  }

  private static long used() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
