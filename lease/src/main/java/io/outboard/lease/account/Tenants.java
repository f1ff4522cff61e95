// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.account;

import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The tenants' budgets. A lease counts with its share of each GPU for its whole time when it is
 * asked for, and with what it really had when it is over; so no budget is ever exceeded.
 */
public final class Tenants {
  private final AccountStore store;
  private final InstantSource clock;
  private final Map<String, Tenant> known = new HashMap<>();

  public Tenants(AccountStore store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
    store.tenants().forEach(tenant -> known.put(tenant.name(), tenant));
  }

  public synchronized void set(Tenant tenant) {
    store.set(tenant);
    known.put(tenant.name(), tenant);
  }

  public List<Tenant> all() {
    return store.tenants();
  }

  /** Returns a tenant's use up to now, in time of a whole GPU. */
  public Duration spent(String tenant) {
    return Duration.ofMillis(store.spent(tenant, clock.instant()));
  }

  private synchronized Optional<Duration> budget(String tenant) {
    return Optional.ofNullable(known.get(tenant)).flatMap(Tenant::budget);
  }

  /**
   * Checks that a tenant can pay for a lease.
   *
   * @param share thousandths that it is to have of each device
   * @param duration for which it is to have them from now on
   * @param alive the leases that are not over, without that one
   * @throws LeaseException if not
   */
  public void check(LeaseRequest request, int share, Duration duration, Collection<Lease> alive)
      throws LeaseException {
    Optional<Duration> budget = budget(request.tenant());
    if (budget.isEmpty() || request.isCommon()) {
      return;
    }
    Instant now = clock.instant();
    Duration promised =
        alive.stream()
            .filter(lease -> lease.tenant().equals(request.tenant()))
            .map(lease -> cost(lease.request(), lease.request().share(), remaining(lease, now)))
            .reduce(Duration.ZERO, Duration::plus);
    Duration spent = spent(request.tenant());
    Duration wanted = cost(request, share, duration);
    if (spent.plus(promised).plus(wanted).compareTo(budget.get()) > 0) {
      throw new LeaseException(
          "the budget of tenant %s is %s GPU hours: %s are spent, %s promised to its leases, and this wants %s"
              .formatted(
                  request.tenant(),
                  hours(budget.get()),
                  hours(spent),
                  hours(promised),
                  hours(wanted)));
    }
  }

  private static Duration remaining(Lease lease, Instant now) {
    if (!lease.state().holds()) {
      return lease.request().duration();
    }
    return lease.expires().isAfter(now) ? Duration.between(now, lease.expires()) : Duration.ZERO;
  }

  private static Duration cost(LeaseRequest request, int share, Duration duration) {
    return duration.multipliedBy((long) request.gpus() * share).dividedBy(LeaseRequest.WHOLE);
  }

  private static String hours(Duration time) {
    return "%.1f".formatted(time.toMillis() / 3_600_000.0);
  }
}
