// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Native memory that grows when it must; freed when nobody refers to it any more. */
final class NativeBuffer {
  private static final long FIRST = 4096;

  private MemorySegment memory = Arena.ofAuto().allocate(FIRST, 8);

  long address() {
    return memory.address();
  }

  /** Makes it at least {@code bytes} long; the first {@code kept} bytes stay what they are. */
  void grow(long bytes, long kept) {
    if (bytes > memory.byteSize()) {
      MemorySegment larger = Arena.ofAuto().allocate(Long.highestOneBit(bytes - 1) << 1, 8);
      MemorySegment.copy(memory, 0, larger, 0, kept);
      memory = larger;
    }
  }
}
