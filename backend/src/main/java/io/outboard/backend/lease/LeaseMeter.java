// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.lease;

import io.outboard.backend.library.LeasedObjects;
import io.outboard.backend.library.LibraryInstance;
import io.outboard.backend.library.SessionContext;
import io.outboard.backend.quota.MemoryCredit;
import io.outboard.backend.slices.SessionSlices;
import io.outboard.backend.slices.SliceMeter;
import io.outboard.wire.Meter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts all that one library takes of its session's lease. */
final class LeaseMeter implements Meter {
  private static final int SUCCESS = 0;

  private final LibraryInstance library;
  private final LeasedObjects objects;
  private final MemoryCredit credit;
  private final long all;
  private final boolean shared;
  private final List<SliceMeter> slices;
  // By the handles and addresses with which they end.
  private final Map<Long, Taken> held = new ConcurrentHashMap<>();

  private record Taken(long key, long devices, long bytes) {}

  LeaseMeter(LibraryInstance library, SessionContext context, MemoryCredit credit) {
    this.library = library;
    this.objects = library.leased();
    this.credit = credit;
    this.all = (1L << context.allotment().gpus().size()) - 1;
    this.shared = context.allotment().isShared();
    this.slices = shared ? SessionSlices.of(context).meters(context, credit) : List.of();
  }

  boolean isOf(LibraryInstance its) {
    return library == its;
  }

  @Override
  public long take(int kind, long owner, long bytes) {
    if (bytes < 0) {
      return REFUSED;
    }
    long devices = objects.devices(kind, owner) & all;
    long left = devices;
    while (left > 0 && credit.take(first(left), bytes)) {
      left &= left - 1;
    }
    if (left == 0) {
      return devices;
    }
    give(devices & ~left, bytes);
    return REFUSED;
  }

  private static int first(long devices) {
    return Long.numberOfTrailingZeros(devices);
  }

  private void give(long devices, long bytes) {
    for (long left = devices; left > 0; left &= left - 1) {
      credit.give(first(left), bytes);
    }
  }

  private void give(Taken taken) {
    give(taken.devices(), taken.bytes());
  }

  @Override
  public void refused(long devices, long bytes) {
    give(devices, bytes);
  }

  @Override
  public void holds(long devices, long bytes, int kind, long key, long value) {
    Taken taken = new Taken(key, devices, bytes);
    if (bytes > 0 && !objects.tellsEnd(kind, value, () -> give(taken))) {
      held.put(key, taken);
    }
  }

  /** The object of a handle has ended. */
  void over(long handle) {
    Taken taken = held.isEmpty() ? null : held.remove(handle);
    if (taken != null) {
      give(taken);
    }
  }

  @Override
  public Object ending(long key) {
    // Taken out first: once it is free, the next one may be at the same place.
    return held.remove(key);
  }

  @Override
  public void ended(Object ending, boolean over) {
    if (ending instanceof Taken taken && over) {
      give(taken);
    } else if (ending instanceof Taken taken) {
      held.put(taken.key(), taken);
    }
  }

  /** In the order of the devices, so that no two sessions wait for each other. */
  @Override
  public long begin(int kind, long queue) {
    if (!shared) {
      return 0;
    }
    long devices = objects.devices(kind, queue) & all;
    for (long left = devices; left > 0; left &= left - 1) {
      slices.get(first(left)).begin();
    }
    return devices;
  }

  @Override
  public void begun(long devices, int kind, long queue, int result) {
    for (long left = devices; left > 0; left &= left - 1) {
      long kept = result == SUCCESS ? objects.queue(kind, queue) : 0;
      slices.get(first(left)).begun(objects, kept, result);
    }
  }

  @Override
  public boolean profiles() {
    return !shared;
  }
}
