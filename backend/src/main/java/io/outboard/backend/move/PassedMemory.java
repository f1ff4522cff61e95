// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

import io.outboard.communicator.posix.Memory;
import io.outboard.communicator.posix.Posix;
import java.util.function.IntSupplier;

/** Memory files whose descriptors the client has passed, wherever they lie in this process. */
public final class PassedMemory {
  private PassedMemory() {}

  /**
   * Maps so many bytes of the newest one.
   *
   * @param descriptors takes the next descriptor, −1 for none
   * @return the address; 0 if there is no file of that length that cannot shrink
   */
  public static long map(IntSupplier descriptors, long bytes) {
    int descriptor = newest(descriptors);
    if (descriptor < 0) {
      return 0;
    }
    try {
      return isSealed(descriptor) && Posix.length(descriptor) >= bytes
          ? Math.max(0, map(descriptor, bytes))
          : 0;
    } finally {
      Posix.close(descriptor);
    }
  }

  /** Ends what {@link #map} has returned. */
  public static void unmap(long address, long bytes) {
    Memory.munmap(address, bytes);
  }

  /** Earlier ones belong to calls that were told an earlier error instead of being made. */
  static int newest(IntSupplier descriptors) {
    int newest = -1;
    for (int next = descriptors.getAsInt(); next >= 0; next = descriptors.getAsInt()) {
      if (newest >= 0) {
        Posix.close(newest);
      }
      newest = next;
    }
    return newest;
  }

  /** Else an access to it could be the end of the worker. */
  static boolean isSealed(int descriptor) {
    int seals = Posix.fcntl(descriptor, Posix.F_GET_SEALS, 0);
    return seals >= 0 && (seals & Memory.F_SEAL_SHRINK) != 0;
  }

  private static long map(int descriptor, long bytes) {
    int access = Memory.PROT_READ | Memory.PROT_WRITE;
    return Memory.mmap(0, bytes, access, Memory.MAP_SHARED, descriptor, 0);
  }
}
