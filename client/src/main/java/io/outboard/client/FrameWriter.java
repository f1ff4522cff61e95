// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import io.outboard.wire.Frame;
import io.outboard.wire.Limits;
import io.outboard.wire.Native;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes frames, each whole, in the order of their numbers; a payload has the number of its call.
 */
final class FrameWriter {
  private static final int PADDING = 8;
  private static final int GOODBYE_MS = 100;

  private final Link link;
  private final int always;
  private final ReentrantLock writing = new ReentrantLock();
  // A header, then zeros to pad with.
  private final NativeBuffer scratch = new NativeBuffer();
  // A header and the ticket of a function.
  private final NativeBuffer told = new NativeBuffer();
  private long sequence;

  /** {@code always} are flags that each call has. */
  FrameWriter(Link link, int always) {
    this.link = link;
    this.always = always;
    Native.fill(scratch.address(), Frame.HEADER + PADDING, (byte) 0);
    Native.fill(told.address(), Frame.HEADER, (byte) 0);
  }

  /**
   * Writes a call with its payload.
   *
   * @return false if the connection is lost
   */
  boolean call(ThreadRequest request, int flags) {
    writing.lock();
    try {
      long number = ++sequence;
      request.issued(number, (flags & Frame.FLAG_ANSWER) != 0);
      if (!payload(request, number)) {
        return false;
      }
      awaitRoom(Frame.HEADER + (long) request.bodyBytes());
      long frame = request.frame();
      header(frame, Frame.KIND_CALL, flags | always, request.bodyBytes());
      origin(frame, request.lane(), request.number(), number);
      return link.write(frame, Frame.HEADER + (long) request.bodyBytes());
    } finally {
      writing.unlock();
    }
  }

  /** Whether a thread writes now, or waits for room. */
  boolean isWriting() {
    return writing.isLocked();
  }

  /** Writes a frame that is a header only. */
  void control(int kind, int thread) {
    writing.lock();
    try {
      awaitRoom(Frame.HEADER);
      control(kind, thread, ++sequence);
    } finally {
      writing.unlock();
    }
  }

  private void control(int kind, int thread, long number) {
    header(scratch.address(), kind, 0, 0);
    Native.putInt(scratch.address() + Frame.RESULT, 0);
    origin(scratch.address(), 0, thread, number);
    link.write(scratch.address(), Frame.HEADER);
  }

  /** Until a frame can be kept; the backend may wait for a word of this side before it says so. */
  private void awaitRoom(long bytes) {
    boolean interrupted = false;
    while (!link.isLost() && !link.hasRoom(bytes)) {
      if (link.owes()) {
        control(Frame.KIND_PONG, 0, 0);
      } else {
        link.awaitRoom();
        interrupted |= Thread.interrupted();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Says that a function of the program has returned. */
  void returned(long ticket) {
    writing.lock();
    try {
      awaitRoom(Frame.HEADER + (long) Long.BYTES);
      long frame = told.address();
      header(frame, Frame.KIND_CALLBACK_DONE, 0, Long.BYTES);
      origin(frame, 0, 0, ++sequence);
      Native.putLong(frame + Frame.HEADER, ticket);
      link.write(frame, Frame.HEADER + (long) Long.BYTES);
    } finally {
      writing.unlock();
    }
  }

  /** Says that the session ends, unless the backend does not read. */
  void goodbye() {
    try {
      if (writing.tryLock(GOODBYE_MS, TimeUnit.MILLISECONDS)) {
        try {
          goodbyeIfWritable();
        } finally {
          writing.unlock();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void goodbyeIfWritable() {
    if (link.isWritable()) {
      control(Frame.KIND_GOODBYE, 0);
    }
  }

  /** Closes the link of a lost connection when nobody writes any more. */
  void close() {
    writing.lock();
    try {
      link.close();
    } finally {
      writing.unlock();
    }
  }

  private boolean payload(ThreadRequest request, long number) {
    boolean written = true;
    for (long done = 0; done < request.payloadBytes() && written; done += Limits.CHUNK) {
      long part = Math.min(request.payloadBytes() - done, Limits.CHUNK);
      long padded = Frame.align(part);
      awaitRoom(Frame.HEADER + padded);
      header(scratch.address(), Frame.KIND_PAYLOAD, 0, (int) padded);
      origin(scratch.address(), request.lane(), request.number(), number);
      Native.putInt(scratch.address() + Frame.RESULT, (int) part);
      written =
          link.write(scratch.address(), Frame.HEADER)
              && link.write(request.payload() + done, part)
              && link.write(scratch.address() + Frame.HEADER, padded - part);
    }
    return written;
  }

  private void header(long frame, int kind, int flags, int bodyBytes) {
    Native.putInt(frame + Frame.LENGTH, Frame.HEADER + bodyBytes);
    Native.putByte(frame + Frame.KIND, (byte) kind);
    Native.putByte(frame + Frame.FLAGS, (byte) flags);
    Native.putLong(frame + Frame.ACKNOWLEDGED, link.tell());
  }

  private static void origin(long frame, int lane, int thread, long number) {
    Native.putInt(frame + Frame.LANE, lane);
    Native.putInt(frame + Frame.THREAD, thread);
    Native.putLong(frame + Frame.SEQUENCE, number);
  }
}
