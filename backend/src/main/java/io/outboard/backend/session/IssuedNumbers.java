// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import java.util.BitSet;

/**
 * Up to which number all frames of a session are issued, whatever connection they come over. Frames
 * may be on their way, so what has come over one connection says nothing of what was sent over it;
 * but the client leaves no number out.
 */
final class IssuedNumbers {
  /** A number so far beyond the first one that is missing waits until that has come. */
  static final int WINDOW = 1 << 16;

  // Of the numbers behind the last one before the first that is missing, each modulo the window.
  private final BitSet beyond = new BitSet(WINDOW);
  private volatile long through;

  /** All up to this number are issued, or are waited for elsewhere. */
  IssuedNumbers(long through) {
    this.through = through;
  }

  /** Whether all up to a number are. */
  boolean includes(long number) {
    return through >= number;
  }

  /** One more is; false if it is so far ahead that it cannot be noted yet. */
  synchronized boolean add(long number) {
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
    through = last;
    return true;
  }

  private static int place(long number) {
    return (int) (number & (WINDOW - 1));
  }
}
