// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.quota;

import io.outboard.communicator.region.Shared;
import io.outboard.communicator.region.SharedFile;
import java.io.IOException;
import java.util.List;

/**
 * Memory that the daemon and all workers of a lease share: how much of each device's memory the
 * lease may have, and how much each of its workers has; and whose time slice it is.
 *
 * <pre>
 *      0  limit of each device          64 bits each, bytes
 *    128  rows that may be in use       64 bits: more than there ever were
 *    256  what each worker has of each  64 bits each, bytes; a row a worker
 *  33024  a {@link SlicePlace} for each worker and device
 * </pre>
 *
 * <p>A worker writes its own row only, so that what a worker had that was killed is known: the
 * daemon clears its row. A worker adds to its row first and then looks at the sum, so that no two
 * workers can both take the rest. A worker that exceeds the limit by that gives back and tries
 * again a few times, because another one may have done the same at that moment. A worker can lie to
 * its own lease only.
 */
public final class QuotaPage implements AutoCloseable {
  /** Most devices. */
  public static final int MOST_GPUS = 16;

  /** Most workers. */
  public static final int MOST_WORKERS = 256;

  private static final long ROW = (long) MOST_GPUS * Long.BYTES;
  private static final long ROWS = ROW;
  private static final long FIRST = 2 * ROW;
  private static final long SLICES = FIRST + ROW * MOST_WORKERS;
  private static final long SLICE_ROW = MOST_GPUS * SlicePlace.BYTES;
  private static final long BYTES = SLICES + SLICE_ROW * MOST_WORKERS;
  private static final int TRIES = 8;

  private final SharedFile file;
  private final long address;

  private QuotaPage(SharedFile file) {
    this.file = file;
    this.address = file.address();
  }

  /** Makes one with the limits of so many devices, in bytes. */
  public static QuotaPage create(List<Long> limits) throws IOException {
    QuotaPage page = new QuotaPage(SharedFile.create("outboard-quota", BYTES));
    for (int gpu = 0; gpu < limits.size(); gpu++) {
      Shared.put(page.address + word(gpu), limits.get(gpu));
    }
    return page;
  }

  /** Maps one that another process made. */
  static QuotaPage map(int descriptor) throws IOException {
    return new QuotaPage(SharedFile.map(descriptor, BYTES));
  }

  /** Takes back one that a worker had. */
  public static QuotaPage takeBack(int descriptor) throws IOException {
    return new QuotaPage(SharedFile.takeBack(descriptor, BYTES));
  }

  /** The descriptor that workers get. */
  public int descriptor() {
    return file.descriptor();
  }

  /** The limit of a device, in bytes. */
  public long limit(int gpu) {
    return Shared.get(address + word(gpu));
  }

  /** The bytes of a device that all workers have. */
  public long used(int gpu) {
    long sum = 0;
    long rows = Math.clamp(Shared.get(address + ROWS), 0, MOST_WORKERS);
    for (int slot = 0; slot < rows; slot++) {
      sum += Shared.get(place(slot, gpu));
    }
    return sum;
  }

  /** The bytes of a device that one worker has. */
  long of(int slot, int gpu) {
    return Shared.get(place(slot, gpu));
  }

  /** A worker has a row from now on: before it takes anything. */
  void join(int slot) {
    Shared.raise(address + ROWS, slot + 1);
  }

  /** Takes memory of a device for a worker; returns false where that would be too much. */
  boolean take(int slot, int gpu, long bytes) {
    if (bytes < 0 || bytes > limit(gpu)) {
      return false;
    }
    for (int attempt = 0; attempt < TRIES; attempt++) {
      add(slot, gpu, bytes);
      if (used(gpu) <= limit(gpu)) {
        return true;
      }
      add(slot, gpu, -bytes);
      pause(slot, attempt);
    }
    return false;
  }

  /** Two that are in each other's way do not come back at the same moment. */
  private static void pause(int slot, int attempt) {
    for (int i = 0; i < (slot + 1) << attempt; i++) {
      Thread.onSpinWait();
    }
  }

  /** Counts memory that a worker has already, whatever the limit. */
  void add(int slot, int gpu, long bytes) {
    Shared.add(place(slot, gpu), bytes);
  }

  /** A worker has ended, and its driver has freed what it had. */
  public void clear(int slot) {
    for (int gpu = 0; gpu < MOST_GPUS; gpu++) {
      Shared.put(place(slot, gpu), 0);
      slice(slot, gpu).clear();
    }
  }

  /** The words of daemon and worker about a device's time slices. */
  public SlicePlace slice(int slot, int gpu) {
    return new SlicePlace(address + SLICES + slot * SLICE_ROW + gpu * SlicePlace.BYTES);
  }

  private long place(int slot, int gpu) {
    return address + FIRST + slot * ROW + word(gpu);
  }

  private static long word(int gpu) {
    return (long) gpu * Long.BYTES;
  }

  @Override
  public void close() {
    file.close();
  }
}
