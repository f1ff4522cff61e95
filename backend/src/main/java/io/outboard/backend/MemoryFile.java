// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.communicator.Memory;
import java.io.IOException;

/** A file in memory that processes share by its descriptor. */
final class MemoryFile {
  private static final int LARGEST_ERROR = 4096;

  private MemoryFile() {}

  /** Makes one of so many bytes, all zero; returns its descriptor. */
  static int create(String name, long bytes) throws IOException {
    int descriptor = Memory.memfdCreate(name, Memory.MFD_CLOEXEC);
    if (descriptor < 0 || Memory.ftruncate(descriptor, bytes) < 0) {
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
