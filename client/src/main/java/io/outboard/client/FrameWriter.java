// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import io.outboard.wire.Frame;
import io.outboard.wire.Limits;
import io.outboard.wire.Native;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes frames, each whole, in the order of their numbers; a payload has the number of its call.
 * Small frames are posted, and leave with the next one that somebody waits for, or when the {@link
 * FrameSender} comes round.
 */
final class FrameWriter {
  private static final int PADDING = 8;
  private static final int GOODBYE_MS = 100;

  private final Link link;
  private final int always;
  private final Lead lead;
  private final PostedFrames posted;
  private final FrameSender sender;
  // Held while bytes leave.
  private final ReentrantLock writing = new ReentrantLock();
  // A header, then zeros to pad with.
  private final NativeBuffer scratch = new NativeBuffer();

  /** {@code always} are flags that each call has. */
  FrameWriter(Link link, Lead lead, int always) {
    this.link = link;
    this.lead = lead;
    this.always = always;
    posted = new PostedFrames(link);
    sender = new FrameSender(link, this);
    Native.fill(scratch.address(), Frame.HEADER + PADDING, (byte) 0);
  }

  /** From here on what is posted leaves by itself. */
  void start() {
    sender.start();
  }

  /** The backend broke the protocol: the connection is lost. */
  void broken(String how) {
    link.lose("the backend broke the protocol: " + how);
  }

  /** The connection is lost. */
  void lost() {
    sender.wake();
  }

  /**
   * Writes a call with its payload; posts a small one that nobody waits for.
   *
   * @return false if the connection is lost
   */
  boolean call(ThreadRequest request, int flags) {
    FrameHeader.what(request.frame(), Frame.KIND_CALL, request.bodyBytes());
    FrameHeader.origin(request.frame(), request);
    Native.putByte(request.frame() + Frame.FLAGS, (byte) (flags | always));
    boolean waits = (flags & Frame.FLAG_ANSWER) != 0;
    int bytes = Frame.HEADER + request.bodyBytes();
    if (request.payloadBytes() > 0 || bytes > GatheredFrames.LARGEST) {
      write(request, bytes, waits);
    } else {
      post(request, bytes, waits);
    }
    return !link.isLost();
  }

  private void post(ThreadRequest request, int bytes, boolean waits) {
    while (!posted.call(request, bytes, waits)) {
      flush();
    }
    if (waits) {
      flush();
    } else {
      sender.wake();
    }
  }

  private void write(ThreadRequest request, int bytes, boolean waits) {
    writing.lock();
    try {
      write(posted.takeBefore(request, waits));
      payload(request);
      write(request.frame(), bytes);
    } finally {
      writing.unlock();
    }
  }

  /** Writes what is posted. */
  void flush() {
    writing.lock();
    try {
      write(posted.take());
    } finally {
      writing.unlock();
    }
  }

  /** Whether something waits to be written. */
  boolean hasPosted() {
    return !posted.isEmpty();
  }

  /** Whether a thread writes now, or waits for room. */
  boolean isWriting() {
    return writing.isLocked();
  }

  /** Says something to the backend soon; waits for nobody, since the reader asks for it. */
  void pong() {
    posted.owePong();
    sender.wake();
  }

  /** Says that a thread has ended. */
  void threadEnd(int thread) {
    while (!posted.bare(Frame.KIND_THREAD_END, thread)) {
      flush();
    }
    sender.wake();
  }

  /** Says that a function of the program has returned. */
  void returned(long ticket) {
    withNumber(Frame.KIND_CALLBACK_DONE, ticket);
  }

  /** Says that the session's connections for bulk data are lost, and transfers up to this one. */
  void bulkLost(long transfer) {
    withNumber(Frame.KIND_BULK_LOST, transfer);
  }

  private void withNumber(int kind, long body) {
    while (!posted.withNumber(kind, body)) {
      flush();
    }
    flush();
  }

  /** Says that the session ends, after what is posted, unless the backend does not read. */
  void goodbye() {
    try {
      if (writing.tryLock(GOODBYE_MS, TimeUnit.MILLISECONDS)) {
        try {
          writeGoodbye();
        } finally {
          writing.unlock();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void writeGoodbye() {
    boolean unused = posted.bare(Frame.KIND_GOODBYE, 0);
    PostedFrames.Taken last = posted.take();
    link.writeWhileRead(last.address(), last.bytes(), GOODBYE_MS);
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

  private void payload(ThreadRequest request) {
    for (long done = 0; done < request.payloadBytes() && !link.isLost(); done += Limits.CHUNK) {
      long part = Math.min(request.payloadBytes() - done, Limits.CHUNK);
      long padded = Frame.align(part);
      long header = scratch.address();
      long number = Native.getLong(request.frame() + Frame.SEQUENCE);
      awaitRoom(Frame.HEADER + padded);
      FrameHeader.what(header, Frame.KIND_PAYLOAD, (int) padded);
      FrameHeader.origin(header, request);
      FrameHeader.place(header, number, link.tell());
      Native.putInt(header + Frame.RESULT, (int) part);
      link.write(header, Frame.HEADER);
      link.write(request.payload() + done, part);
      link.write(header + Frame.HEADER, padded - part);
    }
  }

  private void write(PostedFrames.Taken frames) {
    write(frames.address(), frames.bytes());
  }

  private void write(long frames, long bytes) {
    awaitRoom(bytes);
    link.write(frames, bytes);
  }

  /** Until frames can be kept; the backend may wait for a word of this side before it says so. */
  private void awaitRoom(long bytes) {
    if (!link.hasRoom(bytes)) {
      lead.read(1);
      try {
        awaitMore(bytes);
      } finally {
        lead.read(-1);
      }
    }
  }

  private void awaitMore(long bytes) {
    boolean interrupted = false;
    while (!link.isLost() && !link.hasRoom(bytes)) {
      if (link.owes()) {
        word();
      } else {
        link.awaitRoom();
        interrupted |= Thread.interrupted();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** It overtakes the frames that wait for room, so it has no number. */
  private void word() {
    long frame = scratch.address();
    FrameHeader.bare(frame, Frame.KIND_PONG, 0);
    FrameHeader.place(frame, 0, link.tell());
    link.write(frame, Frame.HEADER);
  }
}
