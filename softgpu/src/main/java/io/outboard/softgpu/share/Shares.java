// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.share;

import io.outboard.wire.Bytes;
import java.util.HashMap;
import java.util.Map;

/** The descriptors that were made of memory. Each holds its memory until it is ended. */
public final class Shares {
  private final Map<Integer, PhysicalMemory> byDescriptor = new HashMap<>();

  /** A new descriptor, which is the caller's to close once it has been ended. */
  public synchronized int make(PhysicalMemory memory) {
    int descriptor = memory.descriptor();
    memory.hold();
    byDescriptor.put(descriptor, memory);
    return descriptor;
  }

  /** The memory of a descriptor that is to hold it no longer; null if it is of none. */
  public synchronized PhysicalMemory end(int descriptor) {
    return byDescriptor.remove(descriptor);
  }

  /** Holds the memory of this process that has an identity; null if no descriptor is of such. */
  public synchronized PhysicalMemory hold(Bytes identity) {
    for (PhysicalMemory memory : byDescriptor.values()) {
      if (memory.identity().equals(identity)) {
        memory.hold();
        return memory;
      }
    }
    return null;
  }
}
