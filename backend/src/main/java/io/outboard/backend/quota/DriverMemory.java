// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.quota;

import java.util.OptionalLong;

/**
 * Memory that a driver takes of a device beside the bytes that are counted by name: contexts, code,
 * and what it rounds up. It is the difference between what the process holds ({@link
 * ProcessMemory}) and what is counted, read after each call that may have changed it. While another
 * thread's call is between the driver and the count the difference is too small: it is then kept as
 * it is, and found by a later reading.
 */
final class DriverMemory {
  private final ProcessMemory process;
  private final MemoryCredit credit;
  // Guarded by this object's monitor.
  private final long[] counted = new long[QuotaPage.MOST_GPUS];

  DriverMemory(ProcessMemory process, MemoryCredit credit) {
    this.process = process;
    this.credit = credit;
  }

  /** Counts what has been added; returns false where the lease has more than it may by that. */
  synchronized boolean grown(int gpu) {
    long more = Math.max(0, reading(gpu) - counted[gpu]);
    count(gpu, more);
    return more == 0 || credit.fits(gpu);
  }

  /** Counts what is there now, on each device, as something has been freed. */
  synchronized void shrunk() {
    for (int gpu = 0; gpu < counted.length; gpu++) {
      long before = credit.moves();
      long less = counted[gpu] == 0 ? 0 : reading(gpu) - counted[gpu];
      if (credit.rested(before)) {
        count(gpu, less);
      }
    }
  }

  private long reading(int gpu) {
    OptionalLong held = process.bytes(gpu);
    long named = credit.own(gpu) - counted[gpu];
    return held.isPresent() ? Math.max(0, held.getAsLong() - named) : counted[gpu];
  }

  private void count(int gpu, long more) {
    credit.add(gpu, more);
    counted[gpu] += more;
  }
}
