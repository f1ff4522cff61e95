// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

import io.outboard.cuda.CudaDriver;
import io.outboard.wire.Limits;
import io.outboard.wire.Native;
import java.util.function.Predicate;

/**
 * Copies of bytes that came with a call. The program may have page-locked them, so that its call
 * returns at once. Here they are in pageable memory, for which a driver waits until the stream gets
 * there; what the stream waits for may be a later call of the same program. So they move into
 * page-locked memory, and the call is over.
 */
public final class CudaStagedUploads extends CudaPieces {
  /** A driver itself takes copies of no more bytes, and does not wait (CUDA, cuMemcpyHtoD). */
  private static final long TAKEN_BY_DRIVER = 64 << 10;

  private final BulkBuffers buffers;
  // Guarded by this object, as all of a transfer is.
  private final Uploads uploads;

  CudaStagedUploads(CudaDriver delegate, BulkBuffers buffers) {
    super(delegate);
    this.buffers = buffers;
    this.uploads = new Uploads(buffers);
  }

  /** With as much memory as one payload takes. */
  public CudaStagedUploads(CudaDriver delegate) {
    this(delegate, new BulkBuffers((int) (Limits.PAYLOAD / Limits.CHUNK)));
  }

  @Override
  void lock(BulkBuffers.Lock lock) {
    buffers.lock(lock);
  }

  @Override
  synchronized void settle(Predicate<Object> orders) {
    uploads.settle(orders);
  }

  @Override
  public int cuMemcpyHtoDAsync_v2(long destination, long source, long bytes, long stream) {
    if (bytes <= TAKEN_BY_DRIVER || source == 0) {
      return delegate.cuMemcpyHtoDAsync_v2(destination, source, bytes, stream);
    }
    Rest rest = stage(destination, source, bytes, stream);
    return rest.result == 0 && rest.bytes > 0
        ? delegate.cuMemcpyHtoDAsync_v2(destination, source, rest.bytes, stream)
        : rest.result;
  }

  /** How many bytes there was no room for, from the first one on. */
  private record Rest(int result, long bytes) {}

  /** The end goes first: where it lies outside of the memory nothing is copied. */
  private synchronized Rest stage(long destination, long source, long bytes, long stream) {
    Copies copies = up(destination, stream);
    uploads.begin();
    int result = 0;
    long left = bytes;
    BulkBuffer room = room();
    while (room != null) {
      int count = (int) Math.min(left, Limits.CHUNK);
      left -= count;
      Native.copy(source + left, room.address(), count);
      room.describe(0, left, count);
      result = uploads.start(copies, room);
      room = result == 0 && left > 0 ? room() : null;
    }
    return new Rest(result, left);
  }

  private BulkBuffer room() {
    try {
      return uploads.room();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
