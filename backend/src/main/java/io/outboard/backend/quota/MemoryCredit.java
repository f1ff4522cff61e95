// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.quota;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The memory that one worker may take of its lease, and that the lease has. */
public final class MemoryCredit {
  private final QuotaPage page;
  private final int slot;
  // Calls that are between the driver and the count, and those that were.
  private final AtomicInteger moving = new AtomicInteger();
  private final AtomicLong moved = new AtomicLong();

  MemoryCredit(QuotaPage page, int slot) {
    this.page = page;
    this.slot = slot;
    page.join(slot);
  }

  /** Takes memory of a device; returns false where that would be more than the lease may have. */
  public boolean take(int gpu, long bytes) {
    return page.take(slot, gpu, bytes);
  }

  /** Counts memory that is there already. */
  void add(int gpu, long bytes) {
    page.add(slot, gpu, bytes);
  }

  /** Gives memory back. */
  public void give(int gpu, long bytes) {
    page.add(slot, gpu, -bytes);
  }

  /** The memory of a device that this worker has. */
  long own(int gpu) {
    return page.of(slot, gpu);
  }

  /** Whether the lease has no more of a device than it may. */
  boolean fits(int gpu) {
    return page.used(gpu) <= limit(gpu);
  }

  /** A call begins for which driver and count differ until {@link #ends}. */
  void begins() {
    moving.incrementAndGet();
  }

  /** Such a call has ended. */
  void ends() {
    moved.incrementAndGet();
    moving.decrementAndGet();
  }

  /** The calls that were, for {@link #rested}. */
  long moves() {
    return moved.get();
  }

  /** Whether there was no such call since {@link #moves}. */
  boolean rested(long since) {
    return moving.get() == 0 && moved.get() == since;
  }

  /** The memory of a device that the lease may have. */
  public long limit(int gpu) {
    return page.limit(gpu);
  }

  /** The memory of a device that the lease has, its limit at most. */
  public long used(int gpu) {
    return Math.clamp(page.used(gpu), 0, limit(gpu));
  }

  /** The rest. */
  long left(int gpu) {
    return limit(gpu) - used(gpu);
  }

  /** The words of daemon and worker about a device's time slices. */
  public SlicePlace slice(int gpu) {
    return page.slice(slot, gpu);
  }
}
