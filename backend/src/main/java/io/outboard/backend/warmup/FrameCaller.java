// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.warmup;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.communicator.stream.ByteStream;
import io.outboard.wire.Caller;
import io.outboard.wire.Frame;
import io.outboard.wire.Native;

/** A client within this process, for warm-ups and tests: one thread writes calls and reads. */
public abstract class FrameCaller implements Caller, Caller.Request, AutoCloseable {
  private static final int KIND_SHIFT = 34;

  public final NativeBuffer out;
  public final NativeBuffer in;
  int bodyBytes;
  public int replyBytes;
  private final ByteStream first;
  private ByteStream stream;
  private int lane;
  private long sequence;
  private long minted;
  private volatile boolean over;

  /** {@code bytes} are the most that a frame takes. */
  public FrameCaller(ByteStream stream, int bytes) {
    this.first = stream;
    this.stream = stream;
    out = new NativeBuffer(bytes);
    in = new NativeBuffer(bytes);
  }

  /** Sets the lane of all later calls. */
  public final void lane(int index) {
    lane = index;
  }

  /** A further stream of the session's first one; once for each number. */
  final ByteStream further(int number) {
    return first.further(number);
  }

  /** Has what follows go over a further stream, and come over it. */
  final void goOver(ByteStream further) {
    stream = further;
  }

  /** Whether the session has ended. */
  public final boolean isOver() {
    return over;
  }

  /** The number of the client's thread. */
  public abstract int thread();

  /** Where there are several rings: the last number that the call being made is behind. */
  long fence() {
    return 0;
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
  public final long body() {
    return out.address() + Frame.HEADER;
  }

  @Override
  public void append(long address, long bytes) {
    long at = body() + bodyBytes;
    long padded = Frame.align(bytes);
    Native.fill(at, Long.BYTES + padded, (byte) 0);
    Native.putLong(at, bytes);
    Native.copy(address, at + Long.BYTES, bytes);
    bodyBytes += (int) (Long.BYTES + padded);
  }

  /** Completes the frame's header and gives it the next number; returns its length. */
  public final int complete(int kind, int flags) {
    long frame = out.address();
    Native.putInt(frame + Frame.LENGTH, Frame.HEADER + bodyBytes);
    Native.putByte(frame + Frame.KIND, (byte) kind);
    Native.putByte(frame + Frame.FLAGS, (byte) flags);
    Native.putInt(frame + Frame.LANE, lane);
    Native.putInt(frame + Frame.THREAD, thread());
    Native.putLong(frame + Frame.SEQUENCE, ++sequence);
    Native.putLong(frame + Frame.ACKNOWLEDGED, fence());
    return Frame.HEADER + bodyBytes;
  }

  /** The number of the last frame. */
  public final long sequence() {
    return sequence;
  }

  /** Writes bytes, all of them, unless the session is over. */
  public final void write(long address, long bytes) {
    for (long done = 0; done < bytes && !over; ) {
      long n = stream.write(address + done, bytes - done);
      over |= n < 0;
      done += n;
    }
  }

  /** Reads a frame; false if the session is over. */
  public final boolean read() {
    return read(in.address(), Frame.HEADER) && read(in.address() + Frame.HEADER, bytesOfBody());
  }

  /** Bytes of the body of the frame that was read. */
  public final int bytesOfBody() {
    return Native.getInt(in.address() + Frame.LENGTH) - Frame.HEADER;
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
  public final long reply() {
    return replyBytes == 0 ? 0 : in.address() + Frame.HEADER;
  }

  @Override
  public final int replyBytes() {
    return replyBytes;
  }

  @Override
  public final long mint(int kind) {
    return (long) kind << KIND_SHIFT | ++minted;
  }

  @Override
  public final void retire(long handle) {
    // The numbers of this caller are never given again.
  }

  /** Ends the connection; any thread may. */
  public final void end() {
    first.shutdown();
    over = true;
  }

  @Override
  public final void close() {
    first.close();
    out.close();
    in.close();
  }
}
