// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.transfer;

import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClDriverForwarding;
import io.outboard.opencl.OpenClResult;
import io.outboard.opencl.vendor.HostCallback;
import io.outboard.opencl.vendor.Place;
import io.outboard.opencl.vendor.VendorOpenCl;
import io.outboard.wire.Native;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Buffers and images in memory that the client has too, for devices that use the host's memory: the
 * client moves data in place, between a map and an unmap of the host's library.
 */
public final class SharedBuffers extends OpenClDriverForwarding {
  private static final long USE_HOST_PTR = 1 << 3;
  private static final long ALLOC_HOST_PTR = 1 << 4;
  private static final long COPY_HOST_PTR = 1 << 5;

  /** Of the function that hears of its end: the buffer, and what it was given. */
  private static final int WORDS = 2;

  private final VendorOpenCl vendor;
  private final PackedTransfers device;
  private final Area area;
  private final Unmapping unmapping;
  private final PageLocks locks;
  private final Map<Long, Shared> shared = new ConcurrentHashMap<>();
  private final HostCallback callback;

  private volatile long areaBase;
  private volatile long areaBytes;

  private record Shared(long base, long bytes) {}

  /** Memory that the client passes. */
  @FunctionalInterface
  public interface Area {
    /** Maps so many bytes of what has been passed; returns their address, 0 if that cannot be. */
    long map(long bytes);
  }

  /** Ends what {@link Area} has mapped. */
  @FunctionalInterface
  public interface Unmapping {
    /** Unmaps so many bytes. */
    void unmap(long base, long bytes);
  }

  /** Adds them to what serves a session's calls. */
  public SharedBuffers(VendorOpenCl vendor, OpenClDriver served, Area area, Unmapping unmapping) {
    this(vendor, served, area, unmapping, new PageLocks(vendor));
  }

  /** The same with other page-locks than those for GPUs. */
  SharedBuffers(
      VendorOpenCl vendor, OpenClDriver served, Area area, Unmapping unmapping, PageLocks locks) {
    super(served);
    this.vendor = vendor;
    this.device = new PackedTransfers(vendor);
    this.area = area;
    this.unmapping = unmapping;
    this.locks = locks;
    this.callback = new HostCallback(WORDS, (memory, _) -> ended(memory));
  }

  @Override
  public synchronized int outboardShareArea(long bytes) {
    long base = areaBase == 0 && bytes > 0 ? area.map(bytes) : 0;
    if (base == 0) {
      return OpenClResult.INVALID_VALUE;
    }
    areaBytes = bytes;
    areaBase = base;
    return OpenClResult.SUCCESS;
  }

  @Override
  public int outboardWriteShared(
      long queue,
      long buffer,
      long offset,
      long size,
      long place,
      int waits,
      long waitList,
      long event) {
    return isShared(place, size)
        ? device.write(
            new Place(queue, waits, waitList, event), buffer, offset, size, areaBase + place)
        : OpenClResult.INVALID_VALUE;
  }

  @Override
  public int outboardReadShared(
      long queue,
      long buffer,
      long offset,
      long size,
      long place,
      int waits,
      long waitList,
      long event) {
    return isShared(place, size)
        ? device.read(
            new Place(queue, waits, waitList, event), buffer, offset, size, areaBase + place)
        : OpenClResult.INVALID_VALUE;
  }

  @Override
  public int outboardLockArea(long queue, long place, long bytes) {
    return bytes > 0 && isShared(place, bytes)
        ? locks.lock(queue, areaBase + place, bytes)
        : OpenClResult.INVALID_VALUE;
  }

  @Override
  public int clReleaseContext(long context) {
    locks.end(context);
    return super.clReleaseContext(context);
  }

  private boolean isShared(long place, long size) {
    return place >= 0 && size >= 0 && place <= areaBytes - size;
  }

  /** Makes a memory object in memory of this process. */
  private interface Making {
    int in(long base, long flags);
  }

  @Override
  public int outboardCreateSharedBuffer(long context, long flags, long size, long made) {
    return make(
        flags, size, made, (base, own) -> vendor.clCreateBuffer(context, own, size, base, made));
  }

  @Override
  public int outboardCreateSharedImage(
      long context, long flags, long format, long description, long size, long made) {
    return make(
        flags,
        size,
        made,
        (base, own) -> vendor.clCreateImage(context, own, format, description, base, size, made));
  }

  private int make(long flags, long size, long made, Making making) {
    long base = size > 0 ? area.map(size) : 0;
    if (base == 0) {
      return OpenClResult.INVALID_VALUE;
    }
    int result = making.in(base, (flags & ~(ALLOC_HOST_PTR | COPY_HOST_PTR)) | USE_HOST_PTR);
    if (result != OpenClResult.SUCCESS) {
      unmapping.unmap(base, size);
      return result;
    }
    long memory = Native.getLong(made);
    shared.put(memory, new Shared(base, size));
    return vendor.onEnd(memory, callback.address());
  }

  @Override
  public int outboardMapShared(
      long queue,
      long buffer,
      long flags,
      long offset,
      long size,
      int waits,
      long waitList,
      long event) {
    return shared.containsKey(buffer)
        ? vendor.map(new Place(queue, waits, waitList, event), buffer, flags, offset, size)
        : OpenClResult.INVALID_VALUE;
  }

  @Override
  public int outboardMapSharedImage(
      long queue,
      long image,
      long flags,
      long origin,
      long region,
      int waits,
      long waitList,
      long event) {
    return shared.containsKey(image)
        ? vendor.mapImage(new Place(queue, waits, waitList, event), image, flags, origin, region)
        : OpenClResult.INVALID_VALUE;
  }

  @Override
  public int outboardUnmapShared(
      long queue, long memory, long offset, int waits, long waitList, long event) {
    Shared its = shared.get(memory);
    return its != null && offset >= 0 && offset < its.bytes()
        ? vendor.unmap(new Place(queue, waits, waitList, event), memory, its.base() + offset)
        : OpenClResult.INVALID_VALUE;
  }

  /** Called by the library once no command needs the buffer any more. */
  private void ended(long memory) {
    Shared its = shared.remove(memory);
    if (its != null) {
      unmapping.unmap(its.base(), its.bytes());
    }
  }
}
