// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool;

import io.outboard.backend.SessionActivity;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Looks again and again what the leases are at, and does what is due about those not used. */
final class IdleWatch implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(IdleWatch.class.getName());

  /** A program that just makes a call is not idle. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Broker broker;
  private final IdleLimits limits;
  private final Consumer<IdleEvent> listener;
  private final InstantSource clock;
  private final Map<String, IdleLease> leases = new HashMap<>();
  private final Thread thread = Thread.ofPlatform().name("idle").daemon(true).unstarted(this::run);
  private volatile boolean closed;

  /** {@code listener} is told of steps; it does not take long. */
  IdleWatch(Broker broker, IdleLimits limits, Consumer<IdleEvent> listener, InstantSource clock) {
    this.broker = broker;
    this.limits = limits;
    this.listener = listener;
    this.clock = clock;
  }

  void start() {
    thread.start();
  }

  private void run() {
    while (!closed) {
      try {
        look();
      } catch (RuntimeException e) {
        LOG.log(System.Logger.Level.ERROR, "idle leases are not looked after", e);
      }
      LockSupport.parkNanos(this, limits.look().toNanos());
    }
  }

  /** Looks once. */
  void look() {
    List<Lease> alive = broker.alive();
    leases.keySet().retainAll(alive.stream().map(Lease::id).toList());
    for (Lease lease : alive) {
      if (!closed && isLookedAt(lease)) {
        look(lease);
      }
    }
  }

  private boolean isLookedAt(Lease lease) {
    LeaseState state = lease.state();
    return (state.admits() || state == LeaseState.SUSPENDED)
        && LivingLeases.isServed(lease)
        && !broker.suspensions().isMoving(lease.id());
  }

  private void look(Lease lease) {
    Instant now = clock.instant();
    SessionActivity activity = broker.suspensions().activity(lease.id());
    IdleLease known = leases.get(lease.id());
    if (known == null) {
      leases.put(lease.id(), new IdleLease(limits, activity, now));
      return;
    }
    for (IdleStep step : known.look(activity, now)) {
      Duration idle = known.idle(now);
      if (!take(new IdleEvent(step, lease, idle, next(step, idle)))) {
        known.failed(step, now);
      }
    }
    broker.suspensions().mark(lease.id(), known.isIdle());
  }

  private Duration next(IdleStep step, Duration idle) {
    return Arrays.stream(IdleStep.values())
        .filter(later -> later.compareTo(step) > 0)
        .map(limits::of)
        .flatMap(Optional::stream)
        .findFirst()
        .map(limit -> limit.minus(idle))
        .filter(Duration::isPositive)
        .orElse(Duration.ZERO);
  }

  /** Whether it could be done. */
  private boolean take(IdleEvent event) {
    String id = event.lease().id();
    String why = "idle for " + event.idle().toSeconds() + " s";
    LOG.log(System.Logger.Level.INFO, "lease {0} is {1}: {2}", id, why, event.step().label());
    try {
      switch (event.step()) {
        case MARK -> {}
        case NOTIFY -> listener.accept(event);
        case SUSPEND -> suspend(event, why);
        case REVOKE -> {
          Lease unused = broker.end(id, LeaseState.REVOKED, why);
          listener.accept(event);
        }
      }
      return true;
    } catch (LeaseException e) {
      LOG.log(System.Logger.Level.INFO, "{0}", e.getMessage());
      return false;
    }
  }

  private void suspend(IdleEvent event, String why) throws LeaseException {
    if (event.lease().state() != LeaseState.SUSPENDED) {
      Lease unused = broker.suspensions().suspend(event.lease().id(), PATIENCE, why);
      listener.accept(event);
    }
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
