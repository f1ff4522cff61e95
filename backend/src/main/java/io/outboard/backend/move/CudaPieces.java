// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

import io.outboard.backend.system.Log;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverForwarding;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import java.util.function.Predicate;

/** CUDA's copies of pieces in page-locked memory, with an event behind each. */
abstract class CudaPieces extends CudaDriverForwarding {
  /** {@code CU_MEMHOSTREGISTER_PORTABLE}. */
  private static final int PORTABLE = 1;

  /** {@code CU_EVENT_DISABLE_TIMING}. */
  private static final int WITHOUT_TIMING = 2;

  private final NativeBuffer scratch = new NativeBuffer(Long.BYTES);

  CudaPieces(CudaDriver delegate) {
    super(delegate);
  }

  /** Page-locks what memory for pieces is not yet. */
  abstract void lock(BulkBuffers.Lock lock);

  /** Waits for pieces of the orders that a test says. */
  abstract void settle(Predicate<Object> orders);

  /** Asks for one piece. */
  private interface Piece {
    int copy(long data, long offset, int bytes);
  }

  /** Copies to a device, in the order of a stream. */
  final Copies up(long destination, long stream) {
    return new Copies(
        stream,
        (data, offset, bytes) ->
            delegate.outboardCopyFromHost(destination + offset, data, bytes, stream, 0));
  }

  /** Copies from a device, in the order of a stream. */
  final Copies down(long source, long stream) {
    return new Copies(
        stream,
        (data, offset, bytes) ->
            delegate.outboardCopyToHost(data, source + offset, bytes, stream, 0));
  }

  private record Stream(long handle) {}

  private record Event(CudaDriver driver, long handle) implements DeviceCopies.Mark {
    @Override
    public boolean isDone() {
      return driver.cuEventQuery(handle) != CudaResult.NOT_READY;
    }

    @Override
    public int await() {
      return driver.cuEventSynchronize(handle);
    }

    @Override
    public void end() {
      int unused = driver.cuEventDestroy_v2(handle);
    }
  }

  /** Of a stream; one transfer uses the scratch memory at a time. */
  final class Copies implements DeviceCopies {
    private final long stream;
    private final Piece piece;
    private Event last;

    private Copies(long stream, Piece piece) {
      this.stream = stream;
      this.piece = piece;
    }

    @Override
    public int start(long data, long offset, int bytes) {
      lock(CudaPieces.this::pageLock);
      int result = piece.copy(data, offset, bytes);
      return result == CudaResult.SUCCESS ? record() : result;
    }

    /** A copy that cannot be marked is over when this returns, or will never be. */
    private int record() {
      int result = delegate.cuEventCreate(scratch.address(), WITHOUT_TIMING);
      if (result != CudaResult.SUCCESS) {
        int unused = delegate.cuStreamSynchronize(stream);
        return result;
      }
      last = new Event(delegate, Native.getLong(scratch.address()));
      result = delegate.cuEventRecord(last.handle, stream);
      if (result != CudaResult.SUCCESS) {
        int unused = delegate.cuStreamSynchronize(stream);
        last.end();
      }
      return result;
    }

    @Override
    public Mark mark() {
      return last;
    }

    @Override
    public Object order() {
      return new Stream(stream);
    }

    /** A copy of pageable memory may wait for the device. */
    @Override
    public long patienceNs() {
      return Long.MAX_VALUE;
    }

    @Override
    public int code(Failure failure) {
      return switch (failure) {
        case REFUSED -> CudaResult.INVALID_VALUE;
        case LOST -> CudaResult.DEVICE_UNAVAILABLE;
        case FULL -> CudaResult.OUT_OF_MEMORY;
      };
    }
  }

  /** Where that is not possible the driver copies all the same, more slowly. */
  private void pageLock(long address, long bytes) {
    int result = delegate.outboardHostMap(scratch.address(), address, bytes, PORTABLE);
    if (result != CudaResult.SUCCESS) {
      Log.debug("memory for bulk data cannot be page-locked: " + result);
    }
  }

  /** No event outlives its context. */
  private void settle() {
    settle(Stream.class::isInstance);
  }

  @Override
  public int cuCtxDestroy_v2(long context) {
    settle();
    return delegate.cuCtxDestroy_v2(context);
  }

  @Override
  public int cuDevicePrimaryCtxRelease_v2(int device) {
    settle();
    return delegate.cuDevicePrimaryCtxRelease_v2(device);
  }

  @Override
  public int cuDevicePrimaryCtxReset_v2(int device) {
    settle();
    return delegate.cuDevicePrimaryCtxReset_v2(device);
  }
}
