// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.communicator.Memory;
import io.outboard.communicator.Posix;
import java.io.IOException;

/** A file in memory that processes share by its descriptor. */
final class MemoryFile {
  private static final int LARGEST_ERROR = 4096;
  private static final int SEALS = Memory.F_SEAL_SHRINK | Memory.F_SEAL_GROW | Memory.F_SEAL_SEAL;

  private MemoryFile() {}

  /**
   * Makes one of so many bytes, all zero; returns its descriptor. Nobody who gets it can take
   * memory away that others have mapped.
   */
  static int create(String name, long bytes) throws IOException {
    int descriptor = Memory.memfdCreate(name, Memory.MFD_CLOEXEC | Memory.MFD_ALLOW_SEALING);
    if (descriptor < 0
        || Memory.ftruncate(descriptor, bytes) < 0
        || Posix.fcntl(descriptor, Posix.F_ADD_SEALS, SEALS) < 0) {
      throw new IOException("memfd_create: error " + -descriptor);
    }
    return descriptor;
  }

  /** Maps its first bytes; returns their address. */
  static long map(int descriptor, long bytes) throws IOException {
    int access = Memory.PROT_READ | Memory.PROT_WRITE;
    long address = Memory.mmap(0, bytes, access, Memory.MAP_SHARED, descriptor, 0);
    if (address < 0 && address > -LARGEST_ERROR) {
      throw new IOException("mmap: error " + -address);
    }
    return address;
  }
}
