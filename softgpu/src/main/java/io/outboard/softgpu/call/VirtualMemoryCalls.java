// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.call;

import io.outboard.cuda.CudaResult;
import io.outboard.cuda.CudaVirtualMemory;
import io.outboard.cuda.struct.AccessDescription;
import io.outboard.cuda.struct.AllocationProperties;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Device;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.memory.DeviceMemory;
import io.outboard.softgpu.memory.Label;
import io.outboard.softgpu.memory.Mapping;
import io.outboard.softgpu.memory.Reservations;
import io.outboard.softgpu.share.PhysicalMemory;
import io.outboard.softgpu.share.Shares;
import io.outboard.wire.Native;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Addresses and memory. Addresses belong to the device of the context in which they are reserved:
 * memory of another one cannot be mapped there.
 */
public final class VirtualMemoryCalls implements CudaVirtualMemory {
  private static final int PINNED = 1;
  private static final int ON_DEVICE = 1;
  private static final int LOCATION_ID = 4;
  private static final int FLAGS = 8;
  private static final int READ_WRITE = 3;

  private final Machine machine;
  private final Shares shares = new Shares();
  private final TreeMap<Long, Mapping> mappings = new TreeMap<>();

  private record Mapping(PhysicalMemory memory, PhysicalMemory.Mapped where) {
    long end() {
      return where.where().end();
    }
  }

  public VirtualMemoryCalls(Machine machine) {
    this.machine = machine;
  }

  @Override
  public int cuMemAddressReserve(
      long pointer, long bytes, long alignment, long wished, long flags) {
    if (!machine.isInitialised()) {
      return CudaResult.NOT_INITIALIZED;
    }
    boolean aligned = alignment >= 0 && (alignment & (alignment - 1)) == 0;
    if (pointer == 0 || bytes <= 0 || !Reservations.isWhole(bytes) || flags != 0 || !aligned) {
      return CudaResult.INVALID_VALUE;
    }
    if (alignment > Reservations.UNIT) {
      return CudaResult.NOT_SUPPORTED;
    }
    Context context = machine.current();
    Device device = context == null ? machine.device(0) : context.device();
    if (!Reservations.isWhole(wished)) {
      return CudaResult.INVALID_VALUE;
    }
    long address = device.memory().reservations().reserve(bytes, wished);
    if (address == 0) {
      return CudaResult.OUT_OF_MEMORY;
    }
    device.memory().reach(address + bytes);
    Native.putLong(pointer, address);
    return CudaResult.SUCCESS;
  }

  @Override
  public synchronized int cuMemAddressFree(long pointer, long bytes) {
    DeviceMemory memory = machine.memoryOf(pointer);
    boolean unused = begun(pointer, bytes).isEmpty();
    return memory != null && unused && memory.reservations().free(pointer, bytes)
        ? CudaResult.SUCCESS
        : CudaResult.INVALID_VALUE;
  }

  @Override
  public int cuMemCreate(long allocation, long bytes, long properties, long flags) {
    int result = check(properties);
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    if (allocation == 0 || bytes <= 0 || !Reservations.isWhole(bytes) || flags != 0) {
      return CudaResult.INVALID_VALUE;
    }
    int types = Native.getInt(properties + AllocationProperties.HANDLE_TYPES);
    if ((types & ~FILE_DESCRIPTOR) != 0) {
      return CudaResult.NOT_SUPPORTED;
    }
    Device device = device(properties + AllocationProperties.LOCATION);
    if (!device.memory().take(bytes)) {
      return CudaResult.OUT_OF_MEMORY;
    }
    return hand(allocation, new PhysicalMemory(device, bytes, types));
  }

  private int hand(long allocation, PhysicalMemory made) {
    if (!machine.handles().add(made)) {
      made.release();
      return CudaResult.OUT_OF_MEMORY;
    }
    Native.putLong(allocation, made.handle());
    return CudaResult.SUCCESS;
  }

  private int check(long properties) {
    if (!machine.isInitialised()) {
      return CudaResult.NOT_INITIALIZED;
    }
    if (properties == 0 || Native.getInt(properties) != PINNED) {
      return CudaResult.INVALID_VALUE;
    }
    return device(properties + AllocationProperties.LOCATION) == null
        ? CudaResult.INVALID_DEVICE
        : CudaResult.SUCCESS;
  }

  private Device device(long location) {
    return Native.getInt(location) == ON_DEVICE
        ? machine.device(Native.getInt(location + LOCATION_ID))
        : null;
  }

  private int unknown() {
    return machine.isInitialised() ? CudaResult.INVALID_HANDLE : CudaResult.NOT_INITIALIZED;
  }

  @Override
  public int cuMemRelease(long allocation) {
    PhysicalMemory released = machine.handles().get(allocation, PhysicalMemory.class);
    if (released == null) {
      return unknown();
    }
    if (released.release()) {
      machine.handles().remove(released);
    }
    return CudaResult.SUCCESS;
  }

  @Override
  public int outboardMemRelease(long allocation) {
    return cuMemRelease(allocation);
  }

  @Override
  public synchronized int cuMemMap(
      long pointer, long bytes, long offset, long allocation, long flags) {
    PhysicalMemory memory = machine.handles().get(allocation, PhysicalMemory.class);
    if (memory == null) {
      return unknown();
    }
    DeviceMemory there = machine.memoryOf(pointer);
    boolean placed = there != null && Reservations.isWhole(pointer) && bytes != 0 && flags == 0;
    if (!placed || !there.reservations().has(pointer, memory.bytes())) {
      return CudaResult.INVALID_VALUE;
    }
    // The vendor's driver maps no parts either.
    if (bytes != memory.bytes() || offset != 0 || there != memory.device().memory()) {
      return CudaResult.NOT_SUPPORTED;
    }
    if (!overlapping(pointer, bytes).isEmpty()) {
      return CudaResult.INVALID_VALUE;
    }
    mappings.put(pointer, new Mapping(memory, memory.map(pointer)));
    return CudaResult.SUCCESS;
  }

  private List<Mapping> overlapping(long address, long bytes) {
    List<Mapping> found = new ArrayList<>();
    Map.Entry<Long, Mapping> before = mappings.lowerEntry(address);
    if (before != null && before.getValue().end() > address) {
      found.add(before.getValue());
    }
    found.addAll(begun(address, bytes));
    return found;
  }

  /** The mappings that begin in a range; none where it ends beyond all addresses. */
  private Collection<Mapping> begun(long address, long bytes) {
    long end = address + bytes;
    return end > address ? mappings.subMap(address, end).values() : List.of();
  }

  /** The mappings that fill a range; empty if they do not. */
  private List<Mapping> filling(long address, long bytes) {
    List<Mapping> found = bytes > 0 ? overlapping(address, bytes) : List.of();
    long at = address;
    for (Mapping mapping : found) {
      if (mapping.where().where().address() != at) {
        return List.of();
      }
      at = mapping.end();
    }
    return at == address + bytes ? found : List.of();
  }

  /** Work that was submitted may use it: waits for it all. */
  @Override
  public int cuMemUnmap(long pointer, long bytes) {
    machine.awaitAll();
    return unmap(pointer, bytes);
  }

  private synchronized int unmap(long pointer, long bytes) {
    List<Mapping> ended = filling(pointer, bytes);
    if (ended.isEmpty()) {
      return machine.isInitialised() ? CudaResult.INVALID_VALUE : CudaResult.NOT_INITIALIZED;
    }
    for (Mapping mapping : ended) {
      mappings.remove(mapping.where().where().address());
      mapping.memory().unmap(mapping.where());
    }
    return CudaResult.SUCCESS;
  }

  @Override
  public synchronized int cuMemSetAccess(long pointer, long bytes, long access, long count) {
    List<Mapping> changed = filling(pointer, bytes);
    if (changed.isEmpty() || access == 0 || count <= 0) {
      return CudaResult.INVALID_VALUE;
    }
    Device owner = changed.getFirst().memory().device();
    for (long i = 0; i < count; i++) {
      long one = access + i * AccessDescription.BYTES;
      if (device(one) == null) {
        return CudaResult.INVALID_VALUE;
      }
      if (device(one) != owner || Native.getInt(one + FLAGS) != READ_WRITE) {
        return CudaResult.NOT_SUPPORTED;
      }
    }
    changed.forEach(mapping -> mapping.memory().allow(mapping.where()));
    return CudaResult.SUCCESS;
  }

  private Mapping at(long address) {
    List<Mapping> found = overlapping(address, 1);
    return found.isEmpty() ? null : found.getFirst();
  }

  @Override
  public synchronized int cuMemGetAccess(long flags, long location, long pointer) {
    Mapping asked = at(pointer);
    if (flags == 0 || location == 0 || asked == null) {
      return CudaResult.INVALID_VALUE;
    }
    if (device(location) == null) {
      return CudaResult.INVALID_DEVICE;
    }
    boolean allowed =
        asked.memory().isAllowed(asked.where()) && device(location) == asked.memory().device();
    Native.putLong(flags, allowed ? READ_WRITE : 0);
    return CudaResult.SUCCESS;
  }

  /** The same for all properties, as with the vendor's driver. */
  @Override
  public int cuMemGetAllocationGranularity(long bytes, long properties, int option) {
    if (!machine.isInitialised()) {
      return CudaResult.NOT_INITIALIZED;
    }
    if (bytes == 0 || properties == 0 || option < 0 || option > 1) {
      return CudaResult.INVALID_VALUE;
    }
    Native.putLong(bytes, Reservations.UNIT);
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuMemGetAllocationPropertiesFromHandle(long properties, long allocation) {
    PhysicalMemory asked = machine.handles().get(allocation, PhysicalMemory.class);
    if (asked == null || properties == 0) {
      return asked == null ? unknown() : CudaResult.INVALID_VALUE;
    }
    Native.fill(properties, AllocationProperties.BYTES, (byte) 0);
    Native.putInt(properties, PINNED);
    Native.putInt(properties + AllocationProperties.HANDLE_TYPES, asked.handleTypes());
    Native.putInt(properties + AllocationProperties.LOCATION, ON_DEVICE);
    long id = properties + AllocationProperties.LOCATION + LOCATION_ID;
    Native.putInt(id, asked.device().ordinal());
    return CudaResult.SUCCESS;
  }

  @Override
  public synchronized int cuMemRetainAllocationHandle(long allocation, long pointer) {
    Mapping held = at(pointer);
    if (allocation == 0 || held == null) {
      return CudaResult.INVALID_VALUE;
    }
    PhysicalMemory memory = held.memory();
    memory.hold();
    return handAgain(allocation, memory);
  }

  /** Memory that has been held once more; its handle may have ended. */
  private int handAgain(long allocation, PhysicalMemory memory) {
    boolean known = machine.handles().get(memory.handle(), PhysicalMemory.class) != null;
    if (known) {
      Native.putLong(allocation, memory.handle());
    }
    return known ? CudaResult.SUCCESS : hand(allocation, memory);
  }

  @Override
  public int cuMemExportToShareableHandle(long handle, long allocation, int type, long flags) {
    PhysicalMemory memory = machine.handles().get(allocation, PhysicalMemory.class);
    if (memory == null) {
      return unknown();
    }
    if (type != FILE_DESCRIPTOR) {
      return CudaResult.NOT_SUPPORTED;
    }
    if (handle == 0 || flags != 0 || (memory.handleTypes() & type) == 0) {
      return CudaResult.INVALID_VALUE;
    }
    Native.putInt(handle, shares.make(memory));
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuMemImportFromShareableHandle(long allocation, long handle, int type) {
    if (!machine.isInitialised()) {
      return CudaResult.NOT_INITIALIZED;
    }
    if (type != FILE_DESCRIPTOR) {
      return CudaResult.NOT_SUPPORTED;
    }
    Label label = Label.read((int) handle, Label.Kind.MEMORY);
    Device device = label == null ? null : machine.device(label.device());
    if (allocation == 0 || device == null) {
      return CudaResult.INVALID_VALUE;
    }
    PhysicalMemory own = shares.hold(label.identity());
    if (own != null) {
      return handAgain(allocation, own);
    }
    return device.memory().take(label.number())
        ? hand(allocation, new PhysicalMemory(device, label, (int) handle))
        : CudaResult.OUT_OF_MEMORY;
  }

  @Override
  public int outboardShareEnd(long handle) {
    PhysicalMemory ended = shares.end((int) handle);
    if (ended != null && ended.release()) {
      machine.handles().remove(ended);
    }
    return CudaResult.SUCCESS;
  }
}
