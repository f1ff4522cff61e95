// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.stream;

import java.util.BitSet;
import java.util.concurrent.TimeUnit;

/**
 * Up to which number none of a sequence is missing, in whatever order they come: of frames, say,
 * whose sender has several connections and leaves no number out.
 */
public final class CompleteNumbers {
  /** A number so far beyond the first one that is missing cannot be noted before that has come. */
  public static final int WINDOW = 1 << 16;

  /** A thread that waits may have another reason to go on. */
  private static final long WAIT_NS = TimeUnit.MILLISECONDS.toNanos(20);

  // Of the numbers behind the last one before the first that is missing, each modulo the window.
  private final BitSet beyond = new BitSet(WINDOW);
  private volatile long through;
  // Threads that wait until it grows. Guarded by this object's monitor.
  private int waiting;

  /** All up to this number are there. */
  public CompleteNumbers(long through) {
    this.through = through;
  }

  /** Whether none up to a number is missing. */
  public boolean includes(long number) {
    return through >= number;
  }

  /** One more is there; false if it is so far ahead that it cannot be noted yet. */
  public synchronized boolean add(long number) {
    long last = through;
    if (number <= last) {
      return true;
    }
    if (number - last > WINDOW) {
      return false;
    }
    beyond.set(place(number));
    while (beyond.get(place(last + 1))) {
      last++;
      beyond.clear(place(last));
    }
    grow(last);
    return true;
  }

  private void grow(long last) {
    boolean news = last != through;
    through = last;
    if (news && waiting > 0) {
      notifyAll();
    }
  }

  /** Waits until none up to a number is missing, but not for long. */
  public synchronized void await(long number) {
    waiting++;
    try {
      long end = System.nanoTime() + WAIT_NS;
      for (long left = WAIT_NS; !includes(number) && left > 0; left = end - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      waiting--;
    }
  }

  private static int place(long number) {
    return (int) (number & (WINDOW - 1));
  }
}
