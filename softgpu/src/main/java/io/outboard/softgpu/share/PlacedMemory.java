// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.share;

import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.memory.Allocation;
import io.outboard.softgpu.memory.Allocation.Kind;
import io.outboard.softgpu.memory.DeviceMemory;
import io.outboard.softgpu.memory.Mapping;
import io.outboard.softgpu.memory.Reservations;
import io.outboard.wire.Native;
import java.util.HashSet;
import java.util.Set;

/**
 * Memory of the program that kernels find at the program's address: it is mapped a second time
 * where device memory is. Its addresses are the common ones of the first device, which the kernels
 * of all devices reach.
 */
public final class PlacedMemory {
  private final Machine machine;
  private final Set<Long> shared = new HashSet<>();

  public PlacedMemory(Machine machine) {
    this.machine = machine;
  }

  /** Sets addresses aside; the first one, 0 where there are too few. */
  public long place(long bytes) {
    return machine.device(0).memory().setAside(bytes);
  }

  /** Whether memory can be mapped there: whole pages at the beginning of a place. */
  public boolean isPlace(long address, long bytes) {
    DeviceMemory memory = machine.memoryOf(address);
    return memory != null
        && bytes > 0
        && (bytes & (Mapping.PAGE - 1)) == 0
        && Reservations.isWhole(address)
        && memory.commons().has(address, bytes);
  }

  /** Maps what this process has at an address; false where it cannot be, or is already. */
  public boolean map(long address, long bytes, Kind kind) {
    return map(address, bytes, kind, address);
  }

  /** Maps there what this process has at another address. */
  synchronized boolean map(long address, long bytes, Kind kind, long from) {
    DeviceMemory memory = machine.memoryOf(address);
    if (!isPlace(address, bytes) || memory.startingAt(address) != null) {
      return false;
    }
    Mapping.repeat(memory.process(address), bytes, from);
    memory.adopt(new Allocation(address, bytes, null, kind, null));
    return true;
  }

  /**
   * Whole pages of a module's variable that the program does not have yet; 0 where an address is of
   * no such one.
   */
  public synchronized long sharable(long address) {
    boolean known = holds(address, Kind.MANAGED_VARIABLE) && !shared.contains(address);
    return known ? pages(machine.memoryOf(address).startingAt(address).bytes()) : 0;
  }

  private static long pages(long bytes) {
    return (bytes + Mapping.PAGE - 1) & -Mapping.PAGE;
  }

  /**
   * Moves a variable into the memory that this process has mapped at the variable's address; no
   * work uses it meanwhile.
   */
  public synchronized boolean share(long address, long bytes) {
    if (bytes == 0 || bytes != sharable(address)) {
      return false;
    }
    long process = machine.memoryOf(address).process(address);
    Native.copy(process, address, bytes);
    Mapping.repeat(process, bytes, address);
    return shared.add(address);
  }

  /** The program has the variable no more, which ends with this; false where it had none. */
  public synchronized boolean unshare(long address) {
    boolean ended = shared.remove(address);
    if (ended) {
      DeviceMemory memory = machine.memoryOf(address);
      Mapping.clear(memory.process(address), pages(memory.startingAt(address).bytes()));
    }
    return ended;
  }

  /** Whether such memory begins there. */
  boolean holds(long address, Kind kind) {
    DeviceMemory memory = machine.memoryOf(address);
    Allocation known = memory == null ? null : memory.startingAt(address);
    return known != null && known.kind() == kind;
  }

  /** Ends a mapping that no work uses any more, and its place; false where there is none. */
  public synchronized boolean unmap(long address, Kind kind) {
    DeviceMemory memory = machine.memoryOf(address);
    Allocation ended = memory == null ? null : memory.startingAt(address);
    if (ended == null || ended.kind() != kind || !memory.disown(ended)) {
      return false;
    }
    Mapping.clear(memory.process(address), ended.bytes());
    memory.commons().free(address, Reservations.rounded(ended.bytes()));
    return true;
  }
}
