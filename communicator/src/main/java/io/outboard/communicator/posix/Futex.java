// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.posix;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.TimeUnit;

/** Sleeping on a word of shared memory: futex(2). */
public final class Futex {
  // The number is the architecture's: asm/unistd.h.
  private static final long SYS_FUTEX = System.getProperty("os.arch").equals("aarch64") ? 98 : 202;
  private static final long WAIT = 0;
  private static final long WAKE = 1;
  private static final long EVERYBODY = Integer.MAX_VALUE;
  private static final int TIMESPEC = 16;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private static final MethodHandle SLEEP = Libc.bindVariadic("syscall", 5);
  private static final MethodHandle WAKE_UP = Libc.bindVariadicInfallible("syscall", 4);

  // Its own, not the thread's: a thread that wakes has a cold cache and looks for as little as
  // possible.
  private final MemorySegment errno = Errno.newCapture();
  private final MemorySegment timeout = Arena.ofAuto().allocate(TIMESPEC, 8);
  private final long least;
  private final long most;
  private long period;

  /**
   * For one thread at a time: a thread that sleeps here wakes after {@code least} milliseconds at
   * the latest, and if that happens again and again after ever longer times, up to {@code most}.
   */
  public Futex(long least, long most) {
    this.least = least;
    this.most = most;
    limit(least);
  }

  /** For one thread at a time, which says each time how long it sleeps at most. */
  public Futex() {
    this(1, 1);
  }

  /** Sleeps if the word is as expected, at most so many nanoseconds; false if time was up. */
  public boolean sleep(long address, int expected, long nanoseconds) {
    timeout.set(JAVA_LONG, 0, nanoseconds / SECOND);
    timeout.set(JAVA_LONG, 8, nanoseconds % SECOND);
    return await(address, expected) != -Errno.ETIMEDOUT;
  }

  /** Sleeps if the word is as expected; false if time was up. */
  public boolean sleep(long address, int expected) {
    boolean timely = await(address, expected) != -Errno.ETIMEDOUT;
    if (!timely && period < most) {
      limit(Math.min(2 * period, most));
    } else if (timely && period > least) {
      limit(least);
    }
    return timely;
  }

  private void limit(long milliseconds) {
    period = milliseconds;
    timeout.set(JAVA_LONG, 0, milliseconds / 1000);
    timeout.set(JAVA_LONG, 8, TimeUnit.MILLISECONDS.toNanos(milliseconds % 1000));
  }

  private long await(long address, int expected) {
    try {
      long result =
          (long)
              SLEEP.invokeExact(
                  errno, SYS_FUTEX, address, WAIT, (long) expected, timeout.address());
      return Errno.result(result, errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** Wakes all who sleep on a word. */
  public static void wake(long address) {
    try {
      long _ = (long) WAKE_UP.invokeExact(SYS_FUTEX, address, WAKE, EVERYBODY);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }
}
