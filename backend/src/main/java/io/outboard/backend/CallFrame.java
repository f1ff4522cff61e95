// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.wire.Call;
import io.outboard.wire.Callbacks;
import io.outboard.wire.Frame;
import io.outboard.wire.Handles;
import io.outboard.wire.Limits;
import io.outboard.wire.Native;
import io.outboard.wire.ProtocolException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** One call while it is run, and the frame of its answer; one object a thread, reused. */
final class CallFrame implements Call {
  private static final long SMALL = 4096;

  private final Handles handles;
  private final Callbacks callbacks;
  private Arena arena = Arena.ofShared();
  private MemorySegment replies = arena.allocate(SMALL, 8);
  private MemorySegment kept = MemorySegment.NULL;
  private int replyBytes;

  long body;
  int bodyBytes;
  int flags;
  int number;
  int library;
  int lane;
  int thread;
  long sequence;
  long payload;
  long payloadBytes;

  CallFrame(Handles handles, Callbacks callbacks) {
    this.handles = handles;
    this.callbacks = callbacks;
  }

  /** Takes the frame at an address; its length has been checked. */
  void take(long frame) {
    bodyBytes = Native.getInt(frame + Frame.LENGTH) - Frame.HEADER;
    body = frame + Frame.HEADER;
    flags = Native.getByte(frame + Frame.FLAGS) & 0xff;
    number = Native.getShort(frame + Frame.CALL) & 0xffff;
    library = Native.getInt(frame + Frame.LIBRARY);
    lane = Native.getInt(frame + Frame.LANE);
    thread = Native.getInt(frame + Frame.THREAD);
    sequence = Native.getLong(frame + Frame.SEQUENCE);
    payload = 0;
    payloadBytes = 0;
    replyBytes = 0;
    if (lane < 0 || lane >= Limits.LANES || thread < 0 || thread >= Limits.THREADS) {
      throw new ProtocolException("lane " + lane + ", thread " + thread);
    }
  }

  /** Moves the body to memory of this thread, so that the buffer can be read into again. */
  void keepBody() {
    if (kept.byteSize() < bodyBytes) {
      kept = arena.allocate(Math.max(SMALL, 2L * bodyBytes), 8);
    }
    Native.copy(body, kept.address(), bodyBytes);
    body = kept.address();
  }

  boolean answered() {
    return (flags & Frame.FLAG_ANSWER) != 0;
  }

  @Override
  public long body() {
    return body;
  }

  @Override
  public int bodyBytes() {
    return bodyBytes;
  }

  @Override
  public int flags() {
    return flags;
  }

  @Override
  public long payload() {
    return payload;
  }

  @Override
  public long payloadBytes() {
    return payloadBytes;
  }

  @Override
  public Handles handles() {
    return handles;
  }

  @Override
  public Callbacks callbacks() {
    return callbacks;
  }

  @Override
  public long answer(int bytes) {
    if (bytes < 0 || bytes > Limits.BODY) {
      throw new ProtocolException("an answer of " + bytes + " bytes");
    }
    int padded = (int) Frame.align(bytes);
    if (replies.byteSize() < Frame.HEADER + padded) {
      replies =
          arena.allocate(
              Math.min(2L * (Frame.HEADER + padded), Frame.HEADER + (long) Limits.BODY + 8), 8);
    }
    replyBytes = padded;
    long at = replies.address() + Frame.HEADER;
    Native.fill(at, padded, (byte) 0);
    return at;
  }

  @Override
  public void answered(int bytes) {
    replyBytes = (int) Frame.align(bytes);
  }

  /** Completes the answer's header and returns the frame's address. */
  long reply(int result) {
    long frame = replies.address();
    Native.putInt(frame + Frame.LENGTH, Frame.HEADER + replyBytes);
    Native.putByte(frame + Frame.KIND, (byte) Frame.KIND_REPLY);
    Native.putByte(frame + Frame.FLAGS, (byte) 0);
    Native.putShort(frame + Frame.CALL, (short) number);
    Native.putInt(frame + Frame.LIBRARY, library);
    Native.putInt(frame + Frame.LANE, lane);
    Native.putInt(frame + Frame.THREAD, thread);
    Native.putInt(frame + Frame.RESULT, result);
    Native.putLong(frame + Frame.SEQUENCE, sequence);
    Native.putLong(frame + Frame.ACKNOWLEDGED, sequence);
    return frame;
  }

  /** Bytes of the answer's frame. */
  int replyLength() {
    return Frame.HEADER + replyBytes;
  }

  void close() {
    arena.close();
    arena = null;
  }
}
