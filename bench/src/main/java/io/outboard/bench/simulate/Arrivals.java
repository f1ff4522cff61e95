// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.simulate;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Jobs as the published figures of the Helios traces have them (Hu et al., <i>Characterization and
 * Prediction of Deep Learning Workloads in Large-Scale GPU Datacenters</i>, SC '21; CC BY 4.0): a
 * job's time has the median 206 s and the mean 6,652 s, here drawn from the lognormal distribution
 * that has both; most jobs want one GPU, and few large ones take most of the GPUs' time (in shares
 * that are this project's own: the traces were not read). A job here has at most the eight GPUs of
 * a node, and at most a day, so that two days show a steady state. Nobody knows his job's time:
 * each asks for one to three times of it.
 */
final class Arrivals {
  private static final double MEDIAN = 206;
  private static final double MEAN = 6_652;
  private static final double SIGMA = Math.sqrt(2 * Math.log(MEAN / MEDIAN));
  private static final double LONGEST = 86_400;
  private static final int TENANTS = 27;

  /** How many GPUs jobs want, and in a hundred jobs how many want so many. */
  private static final int[][] GPUS = {{1, 55}, {2, 14}, {4, 12}, {8, 19}};

  private Arrivals() {}

  /**
   * A job: when somebody asks for it, for what, and for how long it really runs.
   *
   * @param guaranteed whether its lease is to be granted in a time
   */
  record Job(
      Instant asked, String tenant, int gpus, Duration time, Duration wanted, boolean guaranteed) {}

  /**
   * Draws jobs.
   *
   * @param load that they put on so many GPUs, on the average
   * @param guaranteed the part of the jobs that is guaranteed
   */
  static List<Job> draw(
      long seed, Instant begin, Duration length, int gpus, double load, double guaranteed) {
    Random random = new Random(seed);
    Random classes = new Random(seed);
    double each = meanSeconds(new Random(seed)) * meanGpus();
    double rate = load * gpus / each;
    List<Job> jobs = new ArrayList<>();
    double at = 0;
    while (true) {
      at -= Math.log(1 - random.nextDouble()) / rate;
      if (at >= length.toSeconds()) {
        return jobs;
      }
      Instant asked = begin.plusMillis((long) (at * 1_000));
      jobs.add(job(random, asked, classes.nextDouble() < guaranteed));
    }
  }

  private static Job job(Random random, Instant asked, boolean guaranteed) {
    double time = seconds(random);
    double wanted = Math.ceil(time * (1 + 2 * random.nextDouble()));
    // A few tenants ask for most.
    int tenant = (int) (TENANTS * Math.pow(random.nextDouble(), 3));
    return new Job(
        asked,
        "vc" + tenant,
        gpus(random),
        Duration.ofMillis((long) (time * 1_000)),
        Duration.ofSeconds((long) wanted),
        guaranteed);
  }

  private static double seconds(Random random) {
    double time = MEDIAN * Math.exp(SIGMA * random.nextGaussian());
    return Math.clamp(time, 1, LONGEST);
  }

  private static int gpus(Random random) {
    int hundredth = random.nextInt(100);
    int which = 0;
    while (hundredth >= GPUS[which][1]) {
      hundredth -= GPUS[which][1];
      which++;
    }
    return GPUS[which][0];
  }

  private static double meanGpus() {
    double sum = 0;
    for (int[] some : GPUS) {
      sum += some[0] * some[1] / 100.0;
    }
    return sum;
  }

  /** Of the distribution as it is cut, by many drawings. */
  private static double meanSeconds(Random random) {
    int drawings = 1_000_000;
    double sum = 0;
    for (int i = 0; i < drawings; i++) {
      sum += seconds(random);
    }
    return sum / drawings;
  }
}
