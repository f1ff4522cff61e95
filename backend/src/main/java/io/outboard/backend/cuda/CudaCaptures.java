// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.cuda;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverForwarding;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.IntSupplier;

/**
 * Keeps captures possible where calls of one thread of the client run on several here, and keeps
 * host memory out of them: the bytes of a copy lie in its frame, and a graph would copy them from
 * there each time that it is launched (CUDA C++ Programming Guide, "Creating a Graph Using Stream
 * Capture").
 */
final class CudaCaptures extends CudaDriverForwarding {
  /** {@code CU_STREAM_CAPTURE_MODE_RELAXED}: any thread may go on with a capture. */
  private static final int RELAXED = 2;

  /** Captures that have begun and not ended. */
  private final AtomicInteger begun = new AtomicInteger();

  private final ReadWriteLock waiting = new ReentrantReadWriteLock();

  CudaCaptures(CudaDriver delegate) {
    super(delegate);
  }

  /** Whether a capture has begun and not ended. */
  boolean isOpen() {
    return begun.get() != 0;
  }

  /** No capture begins while a thread waits for a whole context. */
  private int begin(IntSupplier capture) {
    waiting.writeLock().lock();
    try {
      int result = capture.getAsInt();
      if (result == CudaResult.SUCCESS) {
        begun.incrementAndGet();
      }
      return result;
    } finally {
      waiting.writeLock().unlock();
    }
  }

  @Override
  public int cuStreamBeginCapture_v2(long stream, int mode) {
    return begin(() -> delegate.cuStreamBeginCapture_v2(stream, RELAXED));
  }

  /**
   * A driver that is asked to wait for a context ends the captures in it. The program asked for a
   * page, not for that, so a page does not wait meanwhile: a program that waits itself for the work
   * that writes a page, as it must, reads the same.
   */
  @Override
  public int outboardPagesLoad(
      long data, long bytes, long addresses, long sizes, int count, long context) {
    waiting.readLock().lock();
    try {
      long waited = isOpen() ? 0 : context;
      return delegate.outboardPagesLoad(data, bytes, addresses, sizes, count, waited);
    } finally {
      waiting.readLock().unlock();
    }
  }

  @Override
  public int cuStreamBeginCaptureToGraph(
      long stream, long graph, long dependencies, long edges, long count, int mode) {
    return begin(
        () ->
            delegate.cuStreamBeginCaptureToGraph(
                stream, graph, dependencies, edges, count, RELAXED));
  }

  @Override
  public int cuStreamEndCapture(long stream, long graph) {
    int result = delegate.cuStreamEndCapture(stream, graph);
    switch (result) {
      case CudaResult.SUCCESS,
          CudaResult.STREAM_CAPTURE_INVALIDATED,
          CudaResult.STREAM_CAPTURE_UNJOINED ->
          begun.decrementAndGet();
      default -> {}
    }
    return result;
  }

  /** Whether a stream captures; a stream that is wrong is the copy's to complain about. */
  private boolean captures(long stream) {
    if (!isOpen()) {
      return false;
    }
    try (NativeBuffer buffer = new NativeBuffer(Long.BYTES)) {
      return delegate.cuStreamIsCapturing(stream, buffer.address()) == CudaResult.SUCCESS
          && Native.getInt(buffer.address()) != 0;
    }
  }

  @Override
  public int cuMemcpyHtoDAsync_v2(long destination, long source, long bytes, long stream) {
    return captures(stream)
        ? CudaResult.STREAM_CAPTURE_UNSUPPORTED
        : delegate.cuMemcpyHtoDAsync_v2(destination, source, bytes, stream);
  }

  @Override
  public int cuMemcpyDtoHAsync_v2(long destination, long source, long bytes, long stream) {
    return captures(stream)
        ? CudaResult.STREAM_CAPTURE_UNSUPPORTED
        : delegate.cuMemcpyDtoHAsync_v2(destination, source, bytes, stream);
  }

  @Override
  public int outboardBulkUp(long destination, long bytes, long stream, long transfer) {
    return captures(stream)
        ? CudaResult.STREAM_CAPTURE_UNSUPPORTED
        : delegate.outboardBulkUp(destination, bytes, stream, transfer);
  }

  @Override
  public int outboardBulkDown(long source, long bytes, long stream, long transfer) {
    return captures(stream)
        ? CudaResult.STREAM_CAPTURE_UNSUPPORTED
        : delegate.outboardBulkDown(source, bytes, stream, transfer);
  }

  /** Memory that is shared stays where it is; staged memory does not. */
  @Override
  public int outboardCopyFromHost(
      long destination, long source, long bytes, long stream, long done) {
    return done != 0 && captures(stream)
        ? CudaResult.STREAM_CAPTURE_UNSUPPORTED
        : delegate.outboardCopyFromHost(destination, source, bytes, stream, done);
  }

  @Override
  public int outboardCopyToHost(long destination, long source, long bytes, long stream, long done) {
    return done != 0 && captures(stream)
        ? CudaResult.STREAM_CAPTURE_UNSUPPORTED
        : delegate.outboardCopyToHost(destination, source, bytes, stream, done);
  }
}
