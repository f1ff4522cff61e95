// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.stream;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The count of the other side's bytes that have come, and of those that the other side knows to
 * have come: it keeps the rest.
 */
public final class TakenBytes {
  /** The other side is told of so many bytes at the latest. */
  private static final long TELL = 2 << 20;

  private final AtomicLong taken = new AtomicLong();
  private volatile long told;

  /** More bytes have come. */
  public void add(long bytes) {
    taken.addAndGet(bytes);
  }

  /** Returns how many bytes have come, from the session's first on. */
  public long count() {
    return taken.get();
  }

  /** Returns the count for the next frame, which tells the other side. */
  public long tell() {
    told = taken.get();
    return told;
  }

  /** Whether the other side should be told soon. */
  public boolean owes() {
    return taken.get() - told >= TELL;
  }
}
