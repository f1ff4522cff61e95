// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import io.outboard.lease.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Ends leases when their time is over, and writes down the use: the sessions' work each minute, the
 * ledger's rows each hour. A thread that sleeps until the next of these; while nobody has devices,
 * it sleeps until somebody has.
 */
public final class Upkeep implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Upkeep.class.getName());
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Broker broker;
  private final SteadyClock clock;
  private final Thread thread;
  private Instant rolled;
  private Instant due;
  private boolean ill;
  private volatile boolean closed;

  public Upkeep(Broker broker, SteadyClock clock) {
    this.broker = broker;
    this.clock = clock;
    this.rolled = hour(clock.instant());
    this.due = clock.instant().plus(MINUTE);
    this.thread = Thread.ofPlatform().name("leases").daemon(true).start(this::run);
    broker.onChange(this::wake);
  }

  private static Instant hour(Instant moment) {
    return moment.truncatedTo(ChronoUnit.HOURS);
  }

  private void run() {
    while (!closed) {
      try {
        followClock();
        keepUp(clock.instant());
        broker.settle();
        isWell();
        rest();
      } catch (StoreException e) {
        isIll(e);
        LockSupport.parkNanos(this, MINUTE.toNanos());
      } catch (RuntimeException e) {
        LOG.log(System.Logger.Level.ERROR, "leases are not kept up", e);
        LockSupport.parkNanos(this, MINUTE.toNanos());
      }
    }
  }

  /** A full disk is told once, and in a line: it may be the one that the log is on. */
  private void isIll(StoreException failure) {
    if (!ill) {
      LOG.log(System.Logger.Level.ERROR, "leases are not kept up: {0}", failure.getMessage());
    }
    ill = true;
  }

  private void isWell() {
    if (ill) {
      LOG.log(System.Logger.Level.INFO, "leases are kept up again");
    }
    ill = false;
  }

  private void followClock() {
    Duration jump = clock.jump();
    if (!jump.isZero()) {
      broker.shift(jump, clock::follow);
      due = clock.instant();
      rolled = hour(due);
    }
  }

  private void rest() {
    if (closed) {
      return;
    }
    if (broker.isUsed()) {
      Instant next = broker.next().filter(due::isAfter).orElse(due);
      LockSupport.parkNanos(this, Math.max(0, Duration.between(clock.instant(), next).toNanos()));
    } else {
      LockSupport.park(this);
    }
  }

  private void keepUp(Instant now) {
    broker.tick();
    if (now.isBefore(due) || !broker.isUsed()) {
      return;
    }
    due = now.plus(MINUTE);
    Instant hour = hour(now);
    if (hour.isAfter(rolled)) {
      broker.roll();
      rolled = hour;
    } else {
      broker.checkpoint();
    }
  }

  /** Something has changed. */
  public void wake() {
    LockSupport.unpark(thread);
  }

  @Override
  public void close() {
    closed = true;
    wake();
  }
}
