// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.simulate;

import io.outboard.lease.Gpu;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.LeaseState;
import io.outboard.lease.ServiceClass;
import io.outboard.lease.schedule.FairShare;
import io.outboard.lease.schedule.Scheduling;
import io.outboard.lease.schedule.Situation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * A pool in virtual time: jobs come, have GPUs and end, and a scheduler decides, as a broker has
 * it.
 */
final class Simulation {
  static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration STEP = Duration.ofSeconds(10);
  private static final Duration SAMPLE = Duration.ofMinutes(10);
  private static final int GPUS_OF_A_NODE = 8;

  private final List<Gpu> gpus;
  private final Duration within;
  private final Scheduler scheduler;
  private final Map<String, Lease> holding = new LinkedHashMap<>();
  private final Map<String, Lease> waiting = new LinkedHashMap<>();
  private final Map<String, Arrivals.Job> jobs = new LinkedHashMap<>();
  private final PriorityQueue<End> ends = new PriorityQueue<>(Comparator.comparing(End::moment));
  private final Result result =
      new Result(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
  private int busy;

  private record End(Instant moment, String lease) {}

  /**
   * Figures of a run.
   *
   * @param used parts of all GPUs that were leased, one each ten minutes
   * @param waits seconds that jobs have waited which came after the first part
   * @param guaranteed the same of those that are guaranteed
   * @param decisions nanoseconds that decisions took
   */
  record Result(
      List<Double> used, List<Double> waits, List<Double> guaranteed, List<Long> decisions) {}

  Simulation(int gpus, Duration within, Scheduler scheduler) {
    this.within = within;
    this.gpus = fleet(gpus);
    this.scheduler = scheduler;
  }

  /** GPUs, eight a node. */
  static List<Gpu> fleet(int count) {
    List<Gpu> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = i % GPUS_OF_A_NODE;
      Gpu gpu = new Gpu(number, "GPU-" + i, "NVIDIA H200", 141L << 30);
      all.add(gpu.on("n" + i / GPUS_OF_A_NODE));
    }
    return all;
  }

  /**
   * Runs it until the last job has come.
   *
   * @param first for so long the pool fills: jobs that come then do not count
   */
  Result run(List<Arrivals.Job> arrivals, Duration first) {
    FairShare fair = new FairShare(BEGIN);
    Instant counted = BEGIN.plus(first);
    Instant sample = BEGIN;
    int next = 0;
    for (Instant now = BEGIN; next < arrivals.size(); now = now.plus(STEP)) {
      boolean changed = end(now);
      for (; next < arrivals.size() && !arrivals.get(next).asked().isAfter(now); next++) {
        ask(next, arrivals.get(next));
        changed = true;
      }
      if (changed && !waiting.isEmpty()) {
        fair.pass(now, List.copyOf(holding.values()));
        decide(now, fair, counted);
      }
      if (!now.isBefore(sample)) {
        result.used.add((double) busy / gpus.size());
        sample = sample.plus(SAMPLE);
      }
    }
    // Whoever still waits has waited so long at least: leaving him out would flatter.
    Instant last = arrivals.getLast().asked();
    waiting.values().forEach(lease -> wait(lease, last, counted));
    return result;
  }

  private boolean end(Instant now) {
    boolean changed = false;
    while (!ends.isEmpty() && !ends.peek().moment().isAfter(now)) {
      busy -= holding.remove(ends.remove().lease()).gpus().size();
      changed = true;
    }
    return changed;
  }

  private void ask(int number, Arrivals.Job job) {
    String id = "%07d".formatted(number);
    LeaseRequest request =
        LeaseRequest.builder()
            .tenant(job.tenant())
            .gpus(job.gpus())
            .duration(job.wanted())
            .service(job.guaranteed() ? ServiceClass.GUARANTEED : ServiceClass.SHARED)
            .within(job.guaranteed() ? within : Duration.ZERO)
            .build();
    jobs.put(id, job);
    waiting.put(id, Lease.requested(id, request, job.asked()));
  }

  private void decide(Instant now, FairShare fair, Instant counted) {
    Situation situation =
        new Situation(
            now,
            gpus,
            List.copyOf(holding.values()),
            List.copyOf(waiting.values()),
            fair.seconds());
    long begin = System.nanoTime();
    List<Scheduling.Grant> grants = scheduler.decide(situation);
    result.decisions.add(System.nanoTime() - begin);
    for (Scheduling.Grant grant : grants) {
      Lease lease = granted(grant, now);
      waiting.remove(lease.id());
      holding.put(lease.id(), lease);
      busy += lease.gpus().size();
      ends.add(new End(now.plus(jobs.remove(lease.id()).time()), lease.id()));
      wait(grant.lease(), now, counted);
    }
  }

  private void wait(Lease lease, Instant until, Instant counted) {
    if (!lease.requested().isBefore(counted)) {
      long waited = Duration.between(lease.requested(), until).toMillis();
      double seconds = Math.max(0, waited - STEP.toMillis()) / 1_000.0;
      result.waits.add(seconds);
      if (lease.request().service() == ServiceClass.GUARANTEED) {
        result.guaranteed.add(seconds);
      }
    }
  }

  /** As a store has it then. */
  static Lease granted(Scheduling.Grant grant, Instant now) {
    Lease lease = grant.lease();
    return new Lease(
        lease.id(),
        lease.request(),
        LeaseState.GRANTED,
        1,
        grant.gpus(),
        lease.requested(),
        now,
        now.plus(lease.request().duration()),
        Instant.EPOCH,
        "");
  }
}
