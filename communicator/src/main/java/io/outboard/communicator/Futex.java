// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.TimeUnit;

/** Sleeping on a word of shared memory: futex(2). */
final class Futex {
  // The number is the architecture's: asm/unistd.h.
  private static final long SYS_FUTEX = System.getProperty("os.arch").equals("aarch64") ? 98 : 202;
  private static final long WAIT = 0;
  private static final long WAKE = 1;
  private static final long EVERYBODY = Integer.MAX_VALUE;
  private static final int TIMESPEC = 16;

  private static final MethodHandle SYSCALL =
      Libc.bindVariadic(
          "syscall", 1, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  private final MemorySegment timeout = Arena.ofAuto().allocate(TIMESPEC, 8);
  private final long least;
  private final long most;
  private long period;

  /**
   * For one thread at a time: who sleeps here wakes after {@code least} milliseconds at the latest,
   * and if that happens again and again after ever longer times, up to {@code most}.
   */
  Futex(long least, long most) {
    this.least = least;
    this.most = most;
    limit(least);
  }

  /** Sleeps if the word is as expected; false if time was up. */
  boolean sleep(long address, int expected) {
    boolean timely = call(address, WAIT, expected, timeout.address()) != -Errno.ETIMEDOUT;
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

  /** Wakes all who sleep on a word. */
  static void wake(long address) {
    call(address, WAKE, EVERYBODY, 0);
  }

  private static long call(long address, long operation, long value, long timeout) {
    try {
      MemorySegment errno = Errno.capture();
      long result =
          (long) SYSCALL.invokeExact(errno, SYS_FUTEX, address, operation, value, timeout);
      return Errno.result(result, errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }
}
