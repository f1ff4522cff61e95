// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

/** What one worker may take of its lease's memory, and what the lease has of it. */
final class MemoryCredit {
  private final QuotaPage page;
  private final int slot;

  MemoryCredit(QuotaPage page, int slot) {
    this.page = page;
    this.slot = slot;
    page.join(slot);
  }

  /** Takes memory of a device; returns false where that would be more than the lease may have. */
  boolean take(int gpu, long bytes) {
    return page.take(slot, gpu, bytes);
  }

  /** Counts memory that is there already. */
  void add(int gpu, long bytes) {
    page.add(slot, gpu, bytes);
  }

  /** Gives memory back. */
  void give(int gpu, long bytes) {
    page.add(slot, gpu, -bytes);
  }

  /** What the lease may have of a device. */
  long limit(int gpu) {
    return page.limit(gpu);
  }

  /** What the lease has of a device, of its limit at most. */
  long used(int gpu) {
    return Math.clamp(page.used(gpu), 0, limit(gpu));
  }

  /** What is left. */
  long left(int gpu) {
    return limit(gpu) - used(gpu);
  }

  /** What the daemon and this worker tell each other of a device's time slices. */
  SlicePlace slice(int gpu) {
    return page.slice(slot, gpu);
  }
}
