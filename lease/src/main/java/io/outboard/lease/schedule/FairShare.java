// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.schedule;

import io.outboard.lease.Lease;
import io.outboard.lease.LeaseRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How much of devices each tenant has had of late: what was some time ago counts less, half as much
 * after each {@link #HALF_LIFE} (Slurm's <i>PriorityDecayHalfLife</i>). Guarded by the broker's
 * monitor.
 */
public final class FairShare {
  /** After so long a use counts half. */
  public static final Duration HALF_LIFE = Duration.ofDays(7);

  /** What was so long ago counts no more. */
  public static final Duration REMEMBERED = HALF_LIFE.multipliedBy(6);

  private final Map<String, Double> seconds = new HashMap<>();
  private Instant when;

  /** Nobody has had anything. */
  public FairShare(Instant now) {
    this.when = now;
  }

  /**
   * A tenant had something some time ago.
   *
   * @param ended when it ended
   * @param deviceSeconds seconds of a whole device
   */
  public void had(String tenant, Instant ended, double deviceSeconds) {
    seconds.merge(tenant, deviceSeconds * factor(Duration.between(ended, when)), Double::sum);
  }

  private static double factor(Duration age) {
    return age.isNegative() ? 1 : Math.pow(0.5, (double) age.toMillis() / HALF_LIFE.toMillis());
  }

  /**
   * Time goes on: these have had their devices since the last call. A clock that went back waits.
   */
  public void pass(Instant now, List<Lease> holding) {
    Duration passed = Duration.between(when, now);
    if (!passed.isPositive()) {
      return;
    }
    double factor = factor(passed);
    seconds.replaceAll((_, before) -> before * factor);
    holding.stream().filter(lease -> lease.state().occupies()).forEach(lease -> charge(lease, now));
    when = now;
  }

  /** A lease ends. */
  public void end(Instant now, Lease lease) {
    if (now.isAfter(when)) {
      charge(lease, now);
    }
  }

  private void charge(Lease lease, Instant now) {
    Instant since = lease.granted().isAfter(when) ? lease.granted() : when;
    double share = (double) lease.request().share() * lease.gpus().size() / LeaseRequest.WHOLE;
    double time = Math.max(0, Duration.between(since, now).toMillis() / 1_000.0);
    seconds.merge(lease.tenant(), share * time, Double::sum);
  }

  /** Another time is said now. */
  public void shift(Duration by) {
    when = when.plus(by);
  }

  /** Seconds of a whole device, by the tenants' names. */
  public Map<String, Double> seconds() {
    return Map.copyOf(seconds);
  }
}
