// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.idle;

import io.outboard.backend.supervision.SessionActivity;
import io.outboard.lease.IdleLimits;
import io.outboard.lease.IdleStep;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseState;
import io.outboard.pool.broker.Broker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Looks again and again what the leases are at, and does what is due about those not used. While no
 * lease has a limit it sleeps until somebody gets devices.
 */
public final class IdleWatch implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(IdleWatch.class.getName());

  /** A program that just makes a call is not idle. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Broker broker;
  private final IdleLimits limits;
  private final Consumer<IdleEvent> listener;
  private final InstantSource clock;
  private final Executor looks;
  private final Map<String, IdleLease> leases = new ConcurrentHashMap<>();
  // Those that are just looked at.
  private final Set<String> looked = ConcurrentHashMap.newKeySet();
  private final Thread thread = Thread.ofPlatform().name("idle").daemon(true).unstarted(this::run);
  private volatile boolean closed;

  /**
   * Makes one.
   *
   * @param limits those of all leases
   * @param listener is told of steps, on several threads; it does not take long
   * @param looks looks at one lease each: a worker may not answer, or take its time to put things
   *     aside, and others are looked at meanwhile
   */
  public IdleWatch(
      Broker broker,
      IdleLimits limits,
      Consumer<IdleEvent> listener,
      InstantSource clock,
      Executor looks) {
    this.broker = broker;
    this.limits = limits;
    this.listener = listener;
    this.clock = clock;
    this.looks = looks;
  }

  public void start() {
    broker.onChange(() -> LockSupport.unpark(thread));
    thread.start();
  }

  private void run() {
    while (!closed) {
      try {
        look();
      } catch (RuntimeException e) {
        LOG.log(System.Logger.Level.ERROR, "idle leases are not looked after", e);
      }
      rest();
    }
  }

  private void rest() {
    pause();
    Optional<Duration> pause =
        broker.alive().stream()
            .map(this::limits)
            .filter(own -> !own.isNone())
            .map(IdleLimits::look)
            .min(Duration::compareTo);
    if (pause.isPresent()) {
      LockSupport.parkNanos(this, pause.get().toNanos());
    } else if (!closed) {
      LockSupport.park(this);
    }
  }

  /** Not parked: a lease that gets devices meanwhile is looked at right after. */
  private static void pause() {
    try {
      Thread.sleep(IdleLimits.SHORTEST_LOOK);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the limits of a lease. */
  private IdleLimits limits(Lease lease) {
    return limits.strictest(lease.request().idle());
  }

  /** Has each lease looked at once, but for those that still are. */
  public void look() {
    List<Lease> alive = broker.alive().stream().filter(lease -> !isHeld(lease)).toList();
    leases.keySet().retainAll(alive.stream().map(Lease::id).toList());
    for (Lease lease : alive) {
      if (!closed && isLookedAt(lease) && looked.add(lease.id())) {
        looks.execute(() -> lookAlone(lease));
      }
    }
  }

  private void lookAlone(Lease lease) {
    try {
      look(lease);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "an idle lease is not looked after", e);
    } finally {
      looked.remove(lease.id());
    }
  }

  /** That it is not used is not its programs' doing: once resumed, it is looked at as a new one. */
  private static boolean isHeld(Lease lease) {
    return lease.state() == LeaseState.HELD;
  }

  private boolean isLookedAt(Lease lease) {
    LeaseState state = lease.state();
    return !lease.request().mode().handsOver()
        && !limits(lease).isNone()
        && (state.admits() || state == LeaseState.SUSPENDED)
        && !broker.suspensions().isMoving(lease.id());
  }

  private void look(Lease lease) {
    Instant now = clock.instant();
    SessionActivity activity = broker.suspensions().activity(lease.id());
    IdleLease known = leases.get(lease.id());
    if (known == null) {
      leases.put(lease.id(), new IdleLease(limits(lease), activity, now));
      return;
    }
    for (IdleStep step : known.look(activity, now)) {
      Duration idle = known.idle(now);
      if (!take(new IdleEvent(step, lease, idle, next(lease, step, idle)))) {
        known.failed(step, now);
      }
    }
    broker.suspensions().mark(lease.id(), known.isIdle());
  }

  private Duration next(Lease lease, IdleStep step, Duration idle) {
    return Arrays.stream(IdleStep.values())
        .filter(later -> later.compareTo(step) > 0)
        .map(limits(lease)::of)
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
