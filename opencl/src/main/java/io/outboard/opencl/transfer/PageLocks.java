// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.transfer;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.outboard.opencl.OpenClResult;
import io.outboard.opencl.vendor.Place;
import io.outboard.opencl.vendor.VendorExtensions;
import io.outboard.opencl.vendor.VendorOpenCl;
import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;

/**
 * Memory of this process that the host's library has page-locked for contexts: the memory of a
 * buffer that stays mapped as long as the client has the context. The client knows nothing of the
 * buffer, nor of the queue that maps it; both go before the context does, so that it ends when the
 * client's last owner goes.
 */
final class PageLocks {
  private static final int QUEUE_CONTEXT = 0x1090;
  private static final int QUEUE_DEVICE = 0x1091;
  private static final int DEVICE_TYPE = 0x1000;
  private static final int DEVICE_HOST_UNIFIED_MEMORY = 0x1035;
  private static final long TYPE_GPU = 1 << 2;
  private static final long READ_WRITE = 1;
  private static final long USE_HOST_PTR = 1 << 3;
  private static final long MAP_READ_WRITE = 3;

  /** Of a context: clients need fewer. */
  private static final int MOST = 8;

  private final VendorOpenCl vendor;
  private final LongPredicate gains;
  private final Map<Long, Queue<Lock>> locks = new ConcurrentHashMap<>();

  /** The buffer that holds the pages from an address on; 0 where none could be made. */
  private record Lock(long queue, long buffer, long base) {}

  /** For devices that copy from and to such memory sooner than from and to other. */
  PageLocks(VendorOpenCl vendor) {
    this(vendor, device -> copiesByItself(vendor, device));
  }

  /** For devices of which a test says so. */
  PageLocks(VendorOpenCl vendor, LongPredicate gains) {
    this.vendor = vendor;
    this.gains = gains;
  }

  /** A GPU with memory of its own; a device that uses the host's memory needs no copy. */
  private static boolean copiesByItself(VendorOpenCl vendor, long device) {
    return (about(vendor, device, DEVICE_TYPE) & TYPE_GPU) != 0
        && about(vendor, device, DEVICE_HOST_UNIFIED_MEMORY) == 0;
  }

  private static long about(VendorOpenCl vendor, long device, int what) {
    return VendorExtensions.word(
        what, (name, size, value, ret) -> vendor.clGetDeviceInfo(device, name, size, value, ret));
  }

  private long about(long queue, int what) {
    return VendorExtensions.word(
        what,
        (name, size, value, ret) -> vendor.clGetCommandQueueInfo(queue, name, size, value, ret));
  }

  /** Page-locks memory for the context of a queue, whose device may gain nothing by that. */
  int lock(long queue, long base, long bytes) {
    long context = about(queue, QUEUE_CONTEXT);
    long device = about(queue, QUEUE_DEVICE);
    if (context == 0 || !gains.test(device)) {
      return OpenClResult.INVALID_OPERATION;
    }
    Queue<Lock> its = locks.computeIfAbsent(context, _ -> new ArrayDeque<>());
    synchronized (its) {
      return its.size() < MOST
          ? lock(context, device, base, bytes, its)
          : OpenClResult.INVALID_OPERATION;
    }
  }

  private int lock(long context, long device, long base, long bytes, Queue<Lock> its) {
    try (Arena arena = Arena.ofConfined()) {
      long made = arena.allocate(JAVA_LONG).address();
      int result = vendor.clCreateCommandQueue(context, device, 0, made);
      if (result != OpenClResult.SUCCESS) {
        return result;
      }
      long queue = Native.getLong(made);
      result = vendor.clCreateBuffer(context, READ_WRITE | USE_HOST_PTR, bytes, base, made);
      if (result != OpenClResult.SUCCESS) {
        vendor.clReleaseCommandQueue(queue);
        return result;
      }
      return map(new Lock(queue, Native.getLong(made), base), bytes, its);
    }
  }

  private int map(Lock lock, long bytes, Queue<Lock> its) {
    Place now = new Place(lock.queue(), 0, 0, 0);
    int result = vendor.map(now, lock.buffer(), MAP_READ_WRITE, 0, bytes);
    if (result == OpenClResult.SUCCESS) {
      its.add(lock);
      return vendor.clFinish(lock.queue());
    }
    release(lock);
    return result;
  }

  /** The client has no owner of the context any more: locks that it does not know of go first. */
  void end(long context) {
    Queue<Lock> its = locks.remove(context);
    if (its != null) {
      synchronized (its) {
        its.forEach(this::unlock);
      }
    }
  }

  private void unlock(Lock lock) {
    vendor.unmap(new Place(lock.queue(), 0, 0, 0), lock.buffer(), lock.base());
    release(lock);
  }

  private void release(Lock lock) {
    vendor.clReleaseMemObject(lock.buffer());
    vendor.clReleaseCommandQueue(lock.queue());
  }
}
