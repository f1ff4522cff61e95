// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.opencl;

import io.outboard.backend.move.BulkMover;
import io.outboard.backend.move.DeviceCopies;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClDriverForwarding;
import io.outboard.opencl.OpenClResult;
import io.outboard.wire.Native;
import java.util.concurrent.TimeUnit;

/**
 * Reads and writes of buffers over connections for bulk data. Each piece is a command of its own in
 * the queue, with the wait list of the whole.
 */
final class OpenClBulkCopies extends OpenClDriverForwarding {
  private static final int NOT_BLOCKING = 0;
  private static final int EXECUTION_STATUS = 0x11D3;
  private static final int COMPLETE = 0;

  /**
   * The queue of a write that does not wait may wait for an event that its caller completes
   * afterwards; so long a device may be at other commands.
   */
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

  private final OpenClDriver vendor;
  private final BulkMover mover;
  // Of the transfer that the mover has at work.
  private final NativeBuffer scratch = new NativeBuffer(Long.BYTES);

  /** Adds them to what serves a session's calls; {@code vendor} has the devices. */
  OpenClBulkCopies(OpenClDriver vendor, OpenClDriver served, BulkMover mover) {
    super(served);
    this.vendor = vendor;
    this.mover = mover;
  }

  /** Enqueues the command for one piece, whose event goes to a place. */
  private interface Piece {
    int enqueue(long data, long offset, int bytes, long event);
  }

  private record Queue(long handle) {}

  private final class Event implements DeviceCopies.Mark {
    private final long handle;

    Event(long handle) {
      this.handle = handle;
    }

    @Override
    public boolean isDone() {
      long place = scratch.address();
      int result = vendor.clGetEventInfo(handle, EXECUTION_STATUS, Integer.BYTES, place, 0);
      return result != OpenClResult.SUCCESS || Native.getInt(place) <= COMPLETE;
    }

    @Override
    public int await() {
      Native.putLong(scratch.address(), handle);
      return vendor.clWaitForEvents(1, scratch.address());
    }

    @Override
    public void end() {
      int unused = vendor.clReleaseEvent(handle);
    }
  }

  private final class Copies implements DeviceCopies {
    private final long queue;
    private final boolean awaited;
    private final Piece piece;
    private Event last;

    Copies(long queue, boolean awaited, Piece piece) {
      this.queue = queue;
      this.awaited = awaited;
      this.piece = piece;
    }

    @Override
    public int start(long data, long offset, int bytes) {
      int result = piece.enqueue(data, offset, bytes, scratch.address());
      if (result == OpenClResult.SUCCESS) {
        last = new Event(Native.getLong(scratch.address()));
        int unused = vendor.clFlush(queue);
      }
      return result;
    }

    @Override
    public Mark mark() {
      return last;
    }

    /** A queue may be out of order: a transfer that is awaited waits for no other. */
    @Override
    public Object order() {
      return awaited ? this : new Queue(queue);
    }

    @Override
    public long patienceNs() {
      return awaited ? Long.MAX_VALUE : PATIENCE_NS;
    }

    @Override
    public int code(Failure failure) {
      return codeOf(failure);
    }
  }

  static int codeOf(DeviceCopies.Failure failure) {
    return switch (failure) {
      case REFUSED -> OpenClResult.INVALID_OPERATION;
      case LOST -> OpenClResult.DEVICE_NOT_AVAILABLE;
      case FULL -> OpenClResult.OUT_OF_HOST_MEMORY;
    };
  }

  @Override
  public int outboardBulkWrite(
      long queue,
      long buffer,
      long offset,
      long size,
      long transfer,
      int blocking,
      int waits,
      long waitList) {
    Piece piece =
        (data, at, bytes, event) ->
            vendor.clEnqueueWriteBuffer(
                queue, buffer, NOT_BLOCKING, offset + at, bytes, data, waits, waitList, event);
    return blocking == NOT_BLOCKING
        ? mover.up(size, transfer, new Copies(queue, false, piece))
        : mover.upAndAwait(size, transfer, new Copies(queue, true, piece));
  }

  @Override
  public int outboardBulkRead(
      long queue, long buffer, long offset, long size, long transfer, int waits, long waitList) {
    Piece piece =
        (data, at, bytes, event) ->
            vendor.clEnqueueReadBuffer(
                queue, buffer, NOT_BLOCKING, offset + at, bytes, data, waits, waitList, event);
    return mover.down(size, transfer, new Copies(queue, true, piece));
  }

  @Override
  public int outboardBulkDrop(long transfer) {
    mover.drop(transfer);
    return OpenClResult.SUCCESS;
  }
}
