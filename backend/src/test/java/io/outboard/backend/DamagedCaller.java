// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.backend.warmup.FrameCaller;
import io.outboard.communicator.stream.ByteStream;
import io.outboard.wire.Frame;
import io.outboard.wire.Limits;
import io.outboard.wire.Native;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;

/** A client some of whose frames are damaged on the way. */
final class DamagedCaller extends FrameCaller {
  /** The result of a call without a reply. */
  static final int NO_REPLY = -1;

  private static final int THREAD = 1;

  private final Random random;
  private final Damage damage;
  private final int oneIn;
  private int damaged;

  /** Damages one frame in so many. */
  DamagedCaller(ByteStream stream, Random random, int oneIn) {
    super(stream, Frame.HEADER + Limits.BODY);
    this.random = random;
    this.damage = new Damage(random);
    this.oneIn = oneIn;
  }

  /** Frames that did not arrive as they were meant. */
  int damaged() {
    return damaged;
  }

  @Override
  public int thread() {
    return THREAD;
  }

  /** The function is none: this client says at once that it has returned. */
  @Override
  public long keep(long function, long userData, int position, boolean repeated) {
    return function;
  }

  @Override
  public int send(int flags) {
    replyBytes = 0;
    byte[] frame = frame(Frame.KIND_CALL, flags);
    if (random.nextInt(oneIn) == 0) {
      return sendDamaged(damage.to(frame));
    }
    write(frame);
    return (flags & Frame.FLAG_ANSWER) == 0 ? 0 : await(Frame.KIND_REPLY, sequence());
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

  private byte[] frame(int kind, int flags) {
    byte[] bytes = new byte[complete(kind, flags)];
    MemorySegment.copy(Native.MEMORY, ValueLayout.JAVA_BYTE, out.address(), bytes, 0, bytes.length);
    return bytes;
  }

  private void control(int kind) {
    begin(0, 0, 0);
    write(frame(kind, 0));
  }

  /** The function that was asked for is none here: it has returned at once. */
  private void callbackDone() {
    begin(0, 0, Long.BYTES);
    Native.putLong(body(), Native.getLong(in.address() + Frame.HEADER + 8));
    write(frame(Frame.KIND_CALLBACK_DONE, 0));
  }

  void goodbye() {
    control(Frame.KIND_GOODBYE);
  }

  private void write(byte[] bytes) {
    try (NativeBuffer copy = new NativeBuffer(Math.max(bytes.length, 1))) {
      copy.put(0, bytes, 0, bytes.length);
      write(copy.address(), bytes.length);
    }
  }

  /** Reads frames until one is of that kind and number. */
  private int await(int kind, long number) {
    while (read()) {
      int got = Native.getByte(in.address() + Frame.KIND);
      if (got == Frame.KIND_CALLBACK) {
        callbackDone();
      }
      boolean its = number == 0 || Native.getLong(in.address() + Frame.SEQUENCE) == number;
      if (got == kind && its) {
        replyBytes = bytesOfBody();
        return Native.getInt(in.address() + Frame.RESULT);
      }
    }
    return NO_REPLY;
  }
}
