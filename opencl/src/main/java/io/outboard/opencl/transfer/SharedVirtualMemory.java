// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.transfer;

import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClDriverForwarding;
import io.outboard.opencl.OpenClResult;
import io.outboard.opencl.vendor.Place;
import io.outboard.opencl.vendor.VendorOpenCl;
import io.outboard.wire.Native;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The device's side of shared virtual memory. A client's memory has pages of its own, so that the
 * client can have its own pages at the same addresses; and no command touches other memory of this
 * process.
 */
public final class SharedVirtualMemory extends OpenClDriverForwarding {
  private static final long PAGE = 4096;
  private static final int DEFAULT_ALIGNMENT = 0;

  private final VendorOpenCl vendor;
  private final Landings landings;
  private final NavigableMap<Long, Allocation> allocations = new ConcurrentSkipListMap<>();

  /**
   * The memory at an address.
   *
   * @param whole what the host's library returned, which may begin before it
   */
  private record Allocation(long whole, long size) {}

  /** Adds it to what moves a session's data. */
  public SharedVirtualMemory(VendorOpenCl vendor, Landings landings, OpenClDriver served) {
    super(served);
    this.vendor = vendor;
    this.landings = landings;
  }

  @Override
  public int outboardSvmAllocate(long context, long size, long address) {
    if (size <= 0 || size % PAGE != 0 || size > Long.MAX_VALUE - PAGE || address == 0) {
      return OpenClResult.INVALID_VALUE;
    }
    long whole = vendor.svmAllocate(context, size + PAGE, DEFAULT_ALIGNMENT);
    if (whole == 0) {
      return OpenClResult.OUT_OF_RESOURCES;
    }
    long first = (whole + PAGE - 1) & -PAGE;
    allocations.put(first, new Allocation(whole, size));
    Native.putLong(address, first);
    return OpenClResult.SUCCESS;
  }

  @Override
  public int outboardSvmFree(long context, long address) {
    Allocation allocation = allocations.remove(address);
    if (allocation == null) {
      return OpenClResult.INVALID_VALUE;
    }
    vendor.svmFree(context, allocation.whole());
    return OpenClResult.SUCCESS;
  }

  private boolean isShared(long address, long size) {
    var at = allocations.floorEntry(address);
    return at != null
        && size >= 0
        && size <= at.getValue().size()
        && address - at.getKey() <= at.getValue().size() - size;
  }

  @Override
  public int outboardSvmRead(
      long queue, long from, long size, long landing, int waits, long waitList, long event) {
    return isShared(from, size)
        ? landings.read(
            landing,
            size,
            new Place(queue, waits, waitList, event),
            (place, data) -> vendor.svmCopy(place, data, from, size))
        : OpenClResult.INVALID_VALUE;
  }

  @Override
  public int outboardSvmWrite(
      long queue, long to, long size, long data, int waits, long waitList, long event) {
    return data != 0 && isShared(to, size)
        ? landings.write(
            data,
            size,
            new Place(queue, waits, waitList, event),
            (place, copy) -> vendor.svmCopy(place, to, copy, size))
        : OpenClResult.INVALID_VALUE;
  }

  @Override
  public int outboardSvmCopy(
      long queue, long to, long from, long size, int waits, long waitList, long event) {
    return isShared(to, size) && isShared(from, size)
        ? vendor.svmCopy(new Place(queue, waits, waitList, event), to, from, size)
        : OpenClResult.INVALID_VALUE;
  }

  @Override
  public int outboardSvmBuffer(long context, long flags, long size, long address, long made) {
    return size > 0 && isShared(address, size)
        ? vendor.clCreateBuffer(context, flags, size, address, made)
        : OpenClResult.INVALID_HOST_PTR;
  }

  @Override
  public int clEnqueueSVMMemFill(
      long queue,
      long to,
      long pattern,
      long patternSize,
      long size,
      int waits,
      long waitList,
      long event) {
    return isShared(to, size)
        ? delegate.clEnqueueSVMMemFill(
            queue, to, pattern, patternSize, size, waits, waitList, event)
        : OpenClResult.INVALID_VALUE;
  }

  @Override
  public int clEnqueueSVMMigrateMem(
      long queue,
      int count,
      long pointers,
      long sizes,
      long flags,
      int waits,
      long waitList,
      long event) {
    for (int i = 0; pointers != 0 && i < count; i++) {
      long size = sizes == 0 ? 0 : Native.getLong(sizes + (long) Long.BYTES * i);
      if (!isShared(Native.getLong(pointers + (long) Long.BYTES * i), size)) {
        return OpenClResult.INVALID_VALUE;
      }
    }
    return delegate.clEnqueueSVMMigrateMem(
        queue, count, pointers, sizes, flags, waits, waitList, event);
  }
}
