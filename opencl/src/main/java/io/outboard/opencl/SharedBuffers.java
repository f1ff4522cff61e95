// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl;

import io.outboard.wire.Native;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Buffers in memory that the client has too, for devices that use the host's memory: what the
 * client moves, it moves in place between a map and an unmap of the host's library.
 */
public final class SharedBuffers extends OpenClDriverForwarding {
  private static final long USE_HOST_PTR = 1 << 3;
  private static final long ALLOC_HOST_PTR = 1 << 4;
  private static final long COPY_HOST_PTR = 1 << 5;

  /** Of the function that hears of its end: the buffer, and what it was given. */
  private static final int WORDS = 2;

  private final VendorOpenCl vendor;
  private final LandedTransfers.Area area;
  private final Unmapping unmapping;
  private final Map<Long, Shared> buffers = new ConcurrentHashMap<>();
  private final HostCallback callback;

  private record Shared(long base, long bytes) {}

  /** Ends what {@link LandedTransfers.Area} has mapped. */
  @FunctionalInterface
  public interface Unmapping {
    /** Unmaps so many bytes. */
    void unmap(long base, long bytes);
  }

  /** Adds them to what serves a session's calls. */
  public SharedBuffers(
      VendorOpenCl vendor, OpenClDriver served, LandedTransfers.Area area, Unmapping unmapping) {
    super(served);
    this.vendor = vendor;
    this.area = area;
    this.unmapping = unmapping;
    this.callback = new HostCallback(WORDS, (memory, _) -> ended(memory));
  }

  @Override
  public int outboardCreateSharedBuffer(long context, long flags, long size, long made) {
    long base = size > 0 ? area.map(size) : 0;
    if (base == 0) {
      return OpenClResult.INVALID_VALUE;
    }
    long own = (flags & ~(ALLOC_HOST_PTR | COPY_HOST_PTR)) | USE_HOST_PTR;
    int result = vendor.clCreateBuffer(context, own, size, base, made);
    if (result != OpenClResult.SUCCESS) {
      unmapping.unmap(base, size);
      return result;
    }
    long memory = Native.getLong(made);
    buffers.put(memory, new Shared(base, size));
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
    return buffers.containsKey(buffer)
        ? vendor.map(queue, buffer, flags, offset, size, waits, waitList, event)
        : OpenClResult.INVALID_VALUE;
  }

  @Override
  public int outboardUnmapShared(
      long queue, long buffer, long offset, int waits, long waitList, long event) {
    Shared its = buffers.get(buffer);
    return its != null && offset >= 0 && offset < its.bytes()
        ? vendor.unmap(queue, buffer, its.base() + offset, waits, waitList, event)
        : OpenClResult.INVALID_VALUE;
  }

  /** Called by the library once no command needs the buffer any more. */
  private void ended(long memory) {
    Shared its = buffers.remove(memory);
    if (its != null) {
      unmapping.unmap(its.base(), its.bytes());
    }
  }
}
