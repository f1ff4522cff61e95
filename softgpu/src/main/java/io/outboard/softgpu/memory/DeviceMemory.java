// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.memory;

import io.outboard.ptx.host.PtxMemory;
import io.outboard.wire.Native;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The memory of one device: one arena, divided into allocations, and behind it addresses that
 * programs reserve and map memory at. Memory that is allocated holds zeros. The arena is a memory
 * file, of which other processes may map parts.
 */
public final class DeviceMemory {
  /** Most addresses for reservations, behind the memory itself; they cost nothing. */
  private static final long RESERVABLE = 1L << 38;

  /** Smaller pieces are cleared by writing zeros. */
  private static final long DISCARDED = 1 << 16;

  private final int ordinal;
  private final long base;
  private final long size;
  private final long reservable;
  private final HostBacking backing;
  private final RangeAllocator ranges;
  private final TreeMap<Long, Allocation> allocations = new TreeMap<>();
  private final Reservations commons;
  private final Reservations reservations;
  private final Loans loans = new Loans();
  // Of memory that is mapped at reserved addresses.
  private final List<Integer> physical = new ArrayList<>();
  private long taken;
  // Of the common addresses that kernels reach.
  private long commonEnd;
  private int file = -1;
  private MemorySegment whole;
  private volatile MemorySegment arena;
  private volatile Allocation recent;

  public DeviceMemory(int ordinal, DeviceAddresses addresses, long size, HostBacking backing) {
    this.ordinal = ordinal;
    this.backing = backing;
    this.base = addresses.base(ordinal);
    this.size = size;
    this.reservable = Math.min(RESERVABLE, addresses.left(size));
    this.ranges = new RangeAllocator(size);
    long reserved = base + Reservations.rounded(size);
    long half = Reservations.roundedDown(reservable / 2);
    this.commons = new Reservations(reserved, half);
    this.reservations = new Reservations(reserved + half, half);
  }

  /** Of which device it is. */
  public int ordinal() {
    return ordinal;
  }

  /** First device address. */
  public long base() {
    return base;
  }

  /** Size in bytes. */
  public long size() {
    return size;
  }

  /** Bytes that can be allocated: those that are not, as far as the host has memory for them. */
  public long available() {
    return Math.min(free(), backing.left());
  }

  /** Bytes that are not allocated. */
  public synchronized long free() {
    return ranges.free() - taken;
  }

  /** Takes memory that has no address here; false when there is no room. */
  public synchronized boolean take(long bytes) {
    boolean room = bytes <= free() && backing.give(bytes);
    taken += room ? bytes : 0;
    return room;
  }

  /** Gives it back. */
  public synchronized void give(long bytes) {
    backing.takeBack(bytes);
    taken -= bytes;
  }

  /** The addresses that programs reserve. */
  public Reservations reservations() {
    return reservations;
  }

  /** The addresses before those, of memory that the kernels of all devices reach. */
  public Reservations commons() {
    return commons;
  }

  /** Sets some of these aside, in reach; the first one, 0 where there are too few. */
  public synchronized long setAside(long bytes) {
    arena();
    long whole = Reservations.rounded(bytes);
    long start = commons.reserve(whole);
    if (start != 0) {
      commonEnd = Math.max(commonEnd, start + whole);
      reach(start + whole);
    }
    return start;
  }

  /** Lets kernels reach addresses up to an end: those that are reserved. */
  public synchronized void reach(long end) {
    if (end - base > arena().byteSize()) {
      arena = whole.asSlice(0, end - base);
    }
  }

  /** All of it that kernels can reach, mapped when first asked for. */
  public MemorySegment arena() {
    MemorySegment mapped = arena;
    return mapped != null ? mapped : map();
  }

  private synchronized MemorySegment map() {
    if (arena == null) {
      whole = Mapping.map(Reservations.rounded(size) + reservable);
      file = Mapping.file(Reservations.rounded(size));
      backing.holds(file);
      Mapping.replace(whole.address(), Reservations.rounded(size), file, 0);
      arena = whole.asSlice(0, size);
    }
    return arena;
  }

  /** The memory that kernels of the device reach. */
  public PtxMemory inReach() {
    return new PtxMemory(arena(), base);
  }

  /** The common addresses in reach. */
  public synchronized PtxMemory commonInReach() {
    long own = Reservations.rounded(size);
    return commonEnd == 0
        ? PtxMemory.NONE
        : new PtxMemory(arena().asSlice(own, commonEnd - base - own), base + own);
  }

  /** The memory file of what is allocated. */
  public synchronized int file() {
    arena();
    return file;
  }

  /** Memory of a file of its own has been made. */
  public synchronized void holds(int ofMemory) {
    physical.add(ofMemory);
    backing.holds(ofMemory);
  }

  /** It is no more. */
  public synchronized void holdsNoMore(int ofMemory) {
    physical.remove((Integer) ofMemory);
    backing.holdsNoMore(ofMemory);
  }

  /** The memory files with all that the device holds, but for what lies in the host's memory. */
  public synchronized List<Integer> files() {
    List<Integer> files = new ArrayList<>(physical);
    if (file >= 0) {
      files.add(file);
    }
    return files;
  }

  /** Where an allocated address lies in it. */
  public long fileOffset(long address) {
    return address - base;
  }

  /** Notes that another process has mapped an allocation; false if it has been freed. */
  public synchronized boolean lend(Allocation allocation) {
    boolean there = allocation.equals(allocations.get(allocation.address()));
    if (there) {
      loans.lend(allocation);
    }
    return there;
  }

  /** The other process has it no more. */
  public synchronized void takeBack(Allocation allocation) {
    if (loans.takeBack(allocation)) {
      reuse(allocation);
    }
  }

  /** Allocates, or returns null when there is no room. */
  public Allocation allocate(long bytes, MemoryOwner owner, Allocation.Kind kind) {
    return allocate(bytes, owner, kind, null);
  }

  /** Allocates, counted in a pool, or returns null when there is no room. */
  public synchronized Allocation allocate(
      long bytes, MemoryOwner owner, Allocation.Kind kind, Pool pool) {
    arena(); // a machine that cannot map it shall say so here, not in a copy
    if (bytes > free() || !backing.give(bytes)) {
      return null;
    }
    long offset = ranges.allocate(bytes);
    if (offset < 0) {
      backing.takeBack(bytes);
      return null;
    }
    Allocation allocation = new Allocation(base + offset, bytes, owner, kind, pool);
    allocations.put(allocation.address(), allocation);
    return allocation;
  }

  /** Allocates whole pages for what begins at one; null when there is no room. */
  public synchronized Allocation allocatePages(long bytes, MemoryOwner owner) {
    arena();
    long whole = (bytes + Mapping.PAGE - 1) & -Mapping.PAGE;
    if (whole > free() || !backing.give(whole)) {
      return null;
    }
    long offset = ranges.allocate(whole, Mapping.PAGE);
    if (offset < 0) {
      backing.takeBack(whole);
      return null;
    }
    Allocation pages =
        new Allocation(base + offset, whole, owner, Allocation.Kind.PLAIN, /* pool= */ null);
    allocations.put(pages.address(), pages);
    return pages;
  }

  /**
   * Places a variable of its own pages among the common addresses, where the program can have it
   * too; null when there is no room. It is released as what is allocated.
   */
  public synchronized Allocation placeVariable(long bytes, MemoryOwner owner) {
    long start = setAside(bytes);
    if (start == 0) {
      return null;
    }
    Allocation placed = new Allocation(start, bytes, owner, Allocation.Kind.MANAGED_VARIABLE, null);
    allocations.put(start, placed);
    return placed;
  }

  /** Makes memory known that was mapped at a reserved address. */
  public synchronized void adopt(Allocation mapped) {
    allocations.put(mapped.address(), mapped);
    recent = null;
  }

  /** Forgets such memory; false when it is not known. */
  public synchronized boolean disown(Allocation mapped) {
    recent = null;
    return allocations.remove(mapped.address(), mapped);
  }

  /** The allocation that starts at an address, or null. */
  public synchronized Allocation startingAt(long address) {
    return allocations.get(address);
  }

  /** The allocation that an address lies in, or null. */
  public Allocation find(long address) {
    Allocation found = recent;
    if (found != null && address - found.address() >= 0 && found.contains(address, 1)) {
      return found;
    }
    synchronized (this) {
      Map.Entry<Long, Allocation> entry = allocations.floorEntry(address);
      found = entry != null && entry.getValue().contains(address, 1) ? entry.getValue() : null;
      recent = found;
    }
    return found;
  }

  /** Frees an allocation; false when it has been freed already. */
  public synchronized boolean release(Allocation allocation) {
    if (!allocations.remove(allocation.address(), allocation)) {
      return false;
    }
    recent = null;
    if (allocation.kind() == Allocation.Kind.MANAGED_VARIABLE) {
      long whole = Reservations.rounded(allocation.bytes());
      Mapping.clear(process(allocation.address()), whole);
      return commons.free(allocation.address(), whole);
    }
    if (!loans.defers(allocation)) {
      reuse(allocation);
    }
    if (allocation.pool() != null) {
      allocation.pool().released(allocation.bytes());
    }
    return true;
  }

  private void reuse(Allocation freed) {
    wipe(freed);
    ranges.release(freed.address() - base, freed.bytes());
    backing.takeBack(freed.bytes());
  }

  /** Nobody finds in memory what was there before. */
  private void wipe(Allocation freed) {
    long start = arena().address() + (freed.address() - base);
    long end = start + RangeAllocator.rounded(freed.bytes());
    long firstPage = (start + Mapping.PAGE - 1) & -Mapping.PAGE;
    long lastPage = end & -Mapping.PAGE;
    if (lastPage - firstPage < DISCARDED) {
      Native.fill(start, end - start, (byte) 0);
      return;
    }
    Native.fill(start, firstPage - start, (byte) 0);
    Mapping.discard(firstPage, lastPage - firstPage);
    Native.fill(lastPage, end - lastPage, (byte) 0);
  }

  /** Frees what ends with its owner. */
  public synchronized void releaseAll(MemoryOwner owner) {
    List<Allocation> owned = new ArrayList<>();
    for (Allocation allocation : allocations.values()) {
      if (allocation.owner() == owner) {
        owned.add(allocation);
      }
    }
    for (Allocation allocation : owned) {
      release(allocation);
    }
  }

  /**
   * The address in this process of {@code bytes} bytes at a device address, or 0 when they do not
   * lie in one allocation, or in mapped memory without a gap.
   */
  public long resolve(long address, long bytes) {
    Allocation allocation = find(address);
    if (allocation == null || bytes < 0) {
      return 0;
    }
    boolean inside = allocation.contains(address, bytes) || isMapped(allocation, address + bytes);
    return inside ? process(address) : 0;
  }

  /** The address in this process of a device address that is in reach. */
  public long process(long address) {
    return arena().address() + (address - base);
  }

  private boolean isMapped(Allocation first, long end) {
    Allocation at = first;
    while (at != null && at.kind() == Allocation.Kind.MAPPED && at.end() < end) {
      at = find(at.end());
    }
    return at != null && at.kind() == Allocation.Kind.MAPPED;
  }
}
