// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.share;

import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.memory.Allocation;
import io.outboard.softgpu.memory.Allocation.Kind;
import io.outboard.softgpu.memory.DeviceMemory;
import java.util.HashMap;
import java.util.Map;

/**
 * Memory of a device of which a program has pages that travel. Where there are several devices, it
 * is mapped a second time where the kernels of all reach it, and known by that address.
 */
public final class PagedMemory {
  /** Most pieces that are mapped a second time, as the system bounds the mappings of a process. */
  private static final int MOST = 1 << 14;

  private final Machine machine;
  private final PlacedMemory placed;
  private final Map<Long, Allocation> common = new HashMap<>();

  public PagedMemory(Machine machine, PlacedMemory placed) {
    this.machine = machine;
    this.placed = placed;
  }

  /** The address of whole pages that belong to a context; 0 where there is no room. */
  public long allocate(long bytes, Context context) {
    DeviceMemory memory = context.device().memory();
    Allocation pages = memory.allocatePages(bytes, context);
    if (pages == null || machine.deviceCount() == 1) {
      return pages == null ? 0 : pages.address();
    }
    long address = mapAgain(pages);
    if (address == 0) {
      memory.release(pages);
    }
    return address;
  }

  private synchronized long mapAgain(Allocation pages) {
    long address = common.size() < MOST ? placed.place(pages.bytes()) : 0;
    long here = machine.memoryOf(pages.address()).process(pages.address());
    if (address == 0 || !placed.map(address, pages.bytes(), Kind.COMMON, here)) {
      return 0;
    }
    common.put(address, pages);
    return address;
  }

  /** Frees such memory, once no work uses it any more; false where an address is of no such one. */
  public boolean free(long address) {
    Allocation pages = remove(address);
    if (pages == null) {
      return false;
    }
    machine.awaitAll();
    return end(address, pages);
  }

  private synchronized Allocation remove(long address) {
    return common.remove(address);
  }

  private boolean end(long address, Allocation pages) {
    return placed.unmap(address, Kind.COMMON) && machine.memoryOf(pages.address()).release(pages);
  }

  /** Frees what belongs to a context that ends. */
  public synchronized void endAll(Context context) {
    common.forEach(
        (address, pages) -> {
          if (pages.owner() == context) {
            end(address, pages);
          }
        });
    common.values().removeIf(pages -> pages.owner() == context);
  }
}
