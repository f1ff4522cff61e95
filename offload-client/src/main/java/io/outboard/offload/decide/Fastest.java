// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.decide;

import io.outboard.offload.OffloadException;
import io.outboard.offload.call.Choice;
import io.outboard.offload.call.OffloadMethod;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Runs each call where it is expected to end first, by what calls of the method and of about the
 * same size have taken here and on the backend, the link's part included. At most 2 % of the time
 * goes to calls that only find out. After a call that could not begin or was lost, calls run here
 * for a while, each time longer. The number of calls that run on the backend counts: with more of
 * them than processors each has a part of one. One of these decides for one backend.
 */
public final class Fastest implements Choice {
  private static final long FIRST_PAUSE = Duration.ofSeconds(1).toNanos();
  private static final long LONGEST_PAUSE = Duration.ofSeconds(60).toNanos();

  /** A backend that has not been heard of for so long has other calls by now. */
  private static final long STALE = Duration.ofSeconds(60).toNanos();

  private static final double NANO = 1e-9;

  private final double deadline;
  private final DeviceProfile profile;
  private final LongSupplier clock;
  private final Map<OffloadMethod<?>, MethodTimes> methods = new ConcurrentHashMap<>();
  private final AtomicLong pause = new AtomicLong();
  // How much slower calls run there for others that run too, and when that was told.
  private volatile double slowness = 1;
  private volatile long told;
  private volatile long awayUntil;
  private volatile boolean away;

  /** Without a deadline. */
  public Fastest() {
    this(Duration.ZERO);
  }

  /** Prefers a side that is expected to end a call in time, where the other one is not. */
  public Fastest(Duration deadline) {
    this(deadline, System::nanoTime);
  }

  /**
   * The same where the side counts on which a device of this profile is estimated to take less
   * energy.
   */
  public Fastest(Duration deadline, DeviceProfile profile) {
    this(deadline, profile, System::nanoTime);
  }

  Fastest(Duration deadline, LongSupplier clock) {
    this(deadline, DeviceProfile.NONE, clock);
  }

  private Fastest(Duration deadline, DeviceProfile profile, LongSupplier clock) {
    this.deadline = deadline.toNanos();
    this.profile = profile;
    this.clock = clock;
  }

  private MethodTimes times(OffloadMethod<?> method) {
    return methods.computeIfAbsent(method, one -> new MethodTimes(profile));
  }

  @Override
  public boolean isRemote(OffloadMethod<?> method, long size) {
    if (away && clock.getAsLong() - awayUntil < 0) {
      return false;
    }
    MethodTimes times = times(method);
    synchronized (times) {
      return times.isRemote(Side.of(size), deadline, slowness());
    }
  }

  @Override
  public void load(int running, int processors) {
    slowness = Math.max(1, (running + 1.0) / processors);
    told = clock.getAsLong();
  }

  private double slowness() {
    return clock.getAsLong() - told < STALE ? slowness : 1;
  }

  /**
   * The energy in joules that the profile's device is estimated to take for a call; nothing where
   * no call of the method has run on that side. Without a profile it takes one watt.
   */
  public OptionalDouble estimatedJoules(OffloadMethod<?> method, long size, boolean remote) {
    MethodTimes times = times(method);
    synchronized (times) {
      return times.knows(remote)
          ? OptionalDouble.of(times.cost(Side.of(size), remote, slowness()) * NANO)
          : OptionalDouble.empty();
    }
  }

  @Override
  public void ended(OffloadMethod<?> method, long size, boolean remote, long nanoseconds) {
    if (remote && away) {
      away = false;
      pause.set(0);
    }
    MethodTimes times = times(method);
    synchronized (times) {
      times.add(Side.of(size), remote, (double) nanoseconds, slowness());
    }
  }

  @Override
  public void fallBack(OffloadMethod<?> method, OffloadException failure) {
    boolean gone =
        failure.kind() == OffloadException.Kind.NOT_BEGUN
            || failure.kind() == OffloadException.Kind.LOST;
    if (gone) {
      long next =
          pause.updateAndGet(before -> Math.min(LONGEST_PAUSE, Math.max(FIRST_PAUSE, 2 * before)));
      awayUntil = clock.getAsLong() + next;
      away = true;
    }
    Choice.super.fallBack(method, failure);
  }
}
