// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.memory;

import io.outboard.softgpu.base.DeviceConsole;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Sees to it that the host can back what the devices of this process have given out. A device is as
 * large as its figures say, and its memory takes the host's only where it is touched; but what a
 * program was given it may touch.
 *
 * <p>Memory of the host that others take meanwhile is not kept from them: another process may touch
 * later what it was given earlier.
 */
public final class HostBacking {
  /** The host is asked once for so many bytes, so that small allocations cost nothing. */
  private static final long STEP = 256L << 20;

  private static final int MIB = 1 << 20;

  private final LongSupplier room;
  private final DeviceConsole console;
  private final List<Integer> files = new ArrayList<>();
  private long given;
  private long backed;
  private boolean told;

  /** {@code room} says how many bytes the host has left, beside those that are touched. */
  public HostBacking(LongSupplier room, DeviceConsole console) {
    this.room = room;
    this.console = console;
  }

  /** A memory file holds what devices have from now on. */
  synchronized void holds(int file) {
    files.add(file);
  }

  /** It does no more. */
  synchronized void holdsNoMore(int file) {
    files.remove((Integer) file);
  }

  /** Gives out memory; false, and a line for the user, where the host could not back it. */
  synchronized boolean give(long bytes) {
    if (bytes > backed - given) {
      long most = most();
      if (bytes > most - given) {
        tell(bytes, most - given);
        return false;
      }
      backed = Math.min(most, given + bytes + STEP);
    }
    given += bytes;
    return true;
  }

  /** It is not used any more. */
  synchronized void takeBack(long bytes) {
    given -= bytes;
    backed = Math.min(backed, given + STEP);
  }

  /** How much can be given out. */
  synchronized long left() {
    return Math.max(0, most() - given);
  }

  /** The memory that is touched, and the rest that the host has. */
  private long most() {
    return SpilledMemory.held(files) + room.getAsLong();
  }

  private void tell(long bytes, long left) {
    if (!told) {
      told = true;
      console.message(
          "out of memory: %d MiB of a software GPU were asked for, and the backend's host can back"
                  .formatted(bytes / MIB)
              + " %d MiB more; a software GPU can be filled as far as its host has memory"
                  .formatted(Math.max(0, left) / MIB));
    }
  }
}
