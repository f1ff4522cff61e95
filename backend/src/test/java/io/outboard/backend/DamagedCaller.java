// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.communicator.ByteStream;
import io.outboard.wire.Caller;
import io.outboard.wire.Frame;
import io.outboard.wire.Limits;
import io.outboard.wire.Native;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;

/** A client some of whose frames are damaged on the way. For one thread. */
final class DamagedCaller implements Caller, Caller.Request, AutoCloseable {
  /** What a call returns whose reply does not come. */
  static final int NO_REPLY = -1;

  private static final int KIND_SHIFT = 34;
  private static final int THREAD = 1;

  private final ByteStream stream;
  private final Random random;
  private final Damage damage;
  private final int oneIn;
  private final Room out = new Room(Frame.HEADER + Limits.BODY);
  private final Room in = new Room(Frame.HEADER + Limits.BODY);
  private long sequence;
  private long minted;
  private int lane;
  private int bodyBytes;
  private int replyBytes;
  private int damaged;
  private boolean over;

  /** Damages one frame in so many. */
  DamagedCaller(ByteStream stream, Random random, int oneIn) {
    this.stream = stream;
    this.random = random;
    this.damage = new Damage(random);
    this.oneIn = oneIn;
  }

  /** Frames that did not arrive as they were meant. */
  int damaged() {
    return damaged;
  }

  /** Whether the session has ended. */
  boolean isOver() {
    return over;
  }

  void lane(int index) {
    lane = index;
  }

  @Override
  public Request begin(int library, int number, int fixed) {
    bodyBytes = (int) Frame.align(fixed);
    Native.fill(out.address(), (long) Frame.HEADER + bodyBytes, (byte) 0);
    Native.putShort(out.address() + Frame.CALL, (short) number);
    Native.putInt(out.address() + Frame.LIBRARY, library);
    return this;
  }

  @Override
  public long mint(int kind) {
    return (long) kind << KIND_SHIFT | ++minted;
  }

  @Override
  public void retire(long handle) {
    // The numbers of this caller are never given again.
  }

  @Override
  public long body() {
    return out.address() + Frame.HEADER;
  }

  @Override
  public void append(long address, long bytes) {
    Native.putLong(body() + bodyBytes, bytes);
    Native.fill(body() + bodyBytes + 8, Frame.align(bytes), (byte) 0);
    Native.copy(address, body() + bodyBytes + 8, bytes);
    bodyBytes += 8 + (int) Frame.align(bytes);
  }

  @Override
  public int send(int flags) {
    replyBytes = 0;
    byte[] frame = frame(Frame.KIND_CALL, flags, bodyBytes);
    if (random.nextInt(oneIn) == 0) {
      return sendDamaged(damage.to(frame));
    }
    write(frame);
    return (flags & Frame.FLAG_ANSWER) == 0 ? 0 : await(Frame.KIND_REPLY, sequence);
  }

  /** A reply may come or not; after the answer to a question it has come, if it does soon. */
  private int sendDamaged(byte[] bytes) {
    damaged++;
    write(bytes);
    if (!Damage.inStep(bytes)) {
      end();
      return NO_REPLY;
    }
    control(Frame.KIND_PING);
    await(Frame.KIND_PONG, 0);
    return NO_REPLY;
  }

  private byte[] frame(int kind, int flags, int body) {
    long at = out.address();
    Native.putInt(at + Frame.LENGTH, Frame.HEADER + body);
    Native.putByte(at + Frame.KIND, (byte) kind);
    Native.putByte(at + Frame.FLAGS, (byte) flags);
    Native.putInt(at + Frame.LANE, lane);
    Native.putInt(at + Frame.THREAD, THREAD);
    Native.putLong(at + Frame.SEQUENCE, ++sequence);
    byte[] bytes = new byte[Frame.HEADER + body];
    MemorySegment.copy(Native.MEMORY, ValueLayout.JAVA_BYTE, at, bytes, 0, bytes.length);
    return bytes;
  }

  private void control(int kind) {
    Native.fill(out.address(), Frame.HEADER, (byte) 0);
    write(frame(kind, 0, 0));
  }

  /** The function that was asked for is none here: it has returned at once. */
  private void callbackDone() {
    Native.fill(out.address(), Frame.HEADER, (byte) 0);
    Native.putLong(body(), Native.getLong(in.address() + Frame.HEADER + 8));
    write(frame(Frame.KIND_CALLBACK_DONE, 0, 8));
  }

  void goodbye() {
    control(Frame.KIND_GOODBYE);
  }

  private void write(byte[] bytes) {
    try (Room copy = new Room(Math.max(bytes.length, 1))) {
      MemorySegment.copy(
          bytes, 0, Native.MEMORY, ValueLayout.JAVA_BYTE, copy.address(), bytes.length);
      for (long done = 0; done < bytes.length && !over; ) {
        long n = stream.write(copy.address() + done, bytes.length - done);
        over |= n < 0;
        done += n;
      }
    }
  }

  /** Reads frames until one is of that kind and number. */
  private int await(int kind, long number) {
    while (read(in.address(), Frame.HEADER)
        && read(
            in.address() + Frame.HEADER,
            Native.getInt(in.address() + Frame.LENGTH) - (long) Frame.HEADER)) {
      int got = Native.getByte(in.address() + Frame.KIND);
      if (got == Frame.KIND_CALLBACK) {
        callbackDone();
      }
      boolean its = number == 0 || Native.getLong(in.address() + Frame.SEQUENCE) == number;
      if (got == kind && its) {
        replyBytes = Native.getInt(in.address() + Frame.LENGTH) - Frame.HEADER;
        return Native.getInt(in.address() + Frame.RESULT);
      }
    }
    over = true;
    return NO_REPLY;
  }

  private boolean read(long address, long bytes) {
    for (long done = 0; done < bytes && !over; ) {
      long n = stream.read(address + done, bytes - done);
      over |= n <= 0;
      done += n;
    }
    return !over;
  }

  @Override
  public long reply() {
    return replyBytes == 0 ? 0 : in.address() + Frame.HEADER;
  }

  @Override
  public int replyBytes() {
    return replyBytes;
  }

  /** Ends the connection; any thread may. */
  void end() {
    stream.shutdown();
    over = true;
  }

  @Override
  public void close() {
    stream.close();
    out.close();
    in.close();
  }
}
