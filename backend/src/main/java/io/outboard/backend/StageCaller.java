// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.communicator.ByteStream;
import io.outboard.wire.Caller;
import io.outboard.wire.Frame;
import io.outboard.wire.Native;

/** The client of a rehearsal: writes calls and reads their answers, all by one thread. */
final class StageCaller implements Caller, Caller.Request, AutoCloseable {
  private static final int THREADS = 2;

  /** Long enough for the session to think that the thread is alone. */
  private static final int CALLS_OF_A_THREAD = 1_000;

  private static final int KIND_SHIFT = 34;
  private static final int BYTES = 64 << 10;
  private static final int MOST_INLINE = 16 << 10;

  private final ByteStream stream;
  private final Room frame = new Room(BYTES);
  private final Room reply = new Room(BYTES);
  private int lane;
  private int bodyBytes;
  private long minted;
  private long sequence;
  private int replyBytes;
  private int payloadFlag;
  private boolean over;

  StageCaller(ByteStream stream) {
    this.stream = stream;
  }

  /** Sets the lane of all later calls. */
  void lane(int index) {
    lane = index;
  }

  /** Whether the session has ended. */
  boolean over() {
    return over;
  }

  @Override
  public Request begin(int library, int number, int fixed) {
    payloadFlag = 0;
    bodyBytes = (int) Frame.align(fixed);
    Native.fill(frame.address(), Frame.HEADER + (long) bodyBytes, (byte) 0);
    Native.putByte(frame.address() + Frame.KIND, (byte) Frame.KIND_CALL);
    Native.putShort(frame.address() + Frame.CALL, (short) number);
    Native.putInt(frame.address() + Frame.LIBRARY, library);
    Native.putInt(frame.address() + Frame.LANE, lane);
    Native.putInt(frame.address() + Frame.THREAD, thread());
    return this;
  }

  private int thread() {
    return 1 + (int) (sequence / CALLS_OF_A_THREAD % THREADS);
  }

  @Override
  public long body() {
    return frame.address() + Frame.HEADER;
  }

  @Override
  public void append(long address, long bytes) {
    if (bytes > MOST_INLINE) {
      sendAhead(address, (int) bytes);
      return;
    }
    long at = body() + bodyBytes;
    long padded = Frame.align(bytes);
    Native.fill(at, Long.BYTES + padded, (byte) 0);
    Native.putLong(at, bytes);
    Native.copy(address, at + Long.BYTES, bytes);
    bodyBytes += (int) (Long.BYTES + padded);
  }

  /** One frame, which is enough for what is rehearsed. */
  private void sendAhead(long address, int bytes) {
    int length = (int) (Frame.HEADER + Frame.align(bytes));
    try (Room payload = new Room(length)) {
      Native.putInt(payload.address() + Frame.LENGTH, length);
      Native.putByte(payload.address() + Frame.KIND, (byte) Frame.KIND_PAYLOAD);
      Native.putInt(payload.address() + Frame.THREAD, thread());
      Native.putInt(payload.address() + Frame.RESULT, bytes);
      Native.copy(address, payload.address() + Frame.HEADER, bytes);
      move(payload.address(), length, true);
    }
    Native.putLong(body() + bodyBytes, bytes | Long.MIN_VALUE);
    bodyBytes += Long.BYTES;
    payloadFlag = Frame.FLAG_PAYLOAD;
  }

  @Override
  public int send(int flags) {
    Native.putInt(frame.address() + Frame.LENGTH, Frame.HEADER + bodyBytes);
    Native.putByte(frame.address() + Frame.FLAGS, (byte) (flags | payloadFlag));
    Native.putLong(frame.address() + Frame.SEQUENCE, ++sequence);
    move(frame.address(), Frame.HEADER + bodyBytes, true);
    return (flags & Frame.FLAG_ANSWER) == 0 ? 0 : receive();
  }

  private int receive() {
    move(reply.address(), Frame.HEADER, false);
    replyBytes = over ? 0 : Native.getInt(reply.address() + Frame.LENGTH) - Frame.HEADER;
    move(reply.address() + Frame.HEADER, replyBytes, false);
    return over ? -1 : Native.getInt(reply.address() + Frame.RESULT);
  }

  private void move(long address, int bytes, boolean out) {
    for (int done = 0; done < bytes && !over; ) {
      long n =
          out
              ? stream.write(address + done, bytes - done)
              : stream.read(address + done, bytes - done);
      over = n < 0 || (n == 0 && !out);
      done += (int) n;
    }
  }

  @Override
  public long reply() {
    return replyBytes == 0 ? 0 : reply.address() + Frame.HEADER;
  }

  @Override
  public int replyBytes() {
    return replyBytes;
  }

  @Override
  public long mint(int kind) {
    return (long) kind << KIND_SHIFT | ++minted;
  }

  @Override
  public void retire(long handle) {}

  @Override
  public void close() {
    stream.close();
    frame.close();
    reply.close();
  }
}
