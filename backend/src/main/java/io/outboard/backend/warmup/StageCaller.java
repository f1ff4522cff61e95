// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.warmup;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.communicator.stream.ByteStream;
import io.outboard.wire.Frame;
import io.outboard.wire.Native;
import java.util.ArrayList;
import java.util.List;

/** The client of a warm-up. */
final class StageCaller extends FrameCaller {
  private static final int THREADS = 2;

  /** Long enough for the session to think that the thread is alone. */
  private static final int CALLS_OF_A_THREAD = 1_000;

  private static final int BYTES = 64 << 10;
  private static final int MOST_INLINE = 16 << 10;

  private int payloadFlag;
  private final List<ByteStream> rings = new ArrayList<>();
  private int turn;

  StageCaller(ByteStream stream) {
    super(stream, BYTES);
  }

  @Override
  public int thread() {
    return 1 + (int) (sequence() / CALLS_OF_A_THREAD % THREADS);
  }

  /** Every other call in a ring of a thread is behind all before it, and the others are not. */
  @Override
  long fence() {
    return !rings.isEmpty() && sequence() % 2 == 0 ? Long.MAX_VALUE : 0;
  }

  /** Opens the further ring that comes next; false if it cannot be opened. */
  boolean openRing() {
    Request request = begin(0, 0, Long.BYTES);
    Native.putLong(request.body(), rings.size());
    write(out.address(), complete(Frame.KIND_RING, 0));
    boolean opened = receive() == 0;
    if (opened) {
      rings.add(further(rings.size()));
    }
    return opened;
  }

  /** Where there are further rings: later calls go through the next one. */
  void takeTurns() {
    if (!rings.isEmpty()) {
      goOver(rings.get(turn++ % rings.size()));
    }
  }

  @Override
  public Request begin(int library, int number, int fixed) {
    payloadFlag = 0;
    return super.begin(library, number, fixed);
  }

  @Override
  public void append(long address, long bytes) {
    if (bytes <= MOST_INLINE) {
      super.append(address, bytes);
      return;
    }
    sendAhead(address, (int) bytes);
    Native.putLong(body() + bodyBytes, bytes | Long.MIN_VALUE);
    bodyBytes += Long.BYTES;
    payloadFlag = Frame.FLAG_PAYLOAD;
  }

  /** One frame, which is enough for what is warmed up. */
  private void sendAhead(long address, int bytes) {
    int length = (int) (Frame.HEADER + Frame.align(bytes));
    try (NativeBuffer payload = new NativeBuffer(length)) {
      Native.putInt(payload.address() + Frame.LENGTH, length);
      Native.putByte(payload.address() + Frame.KIND, (byte) Frame.KIND_PAYLOAD);
      Native.putInt(payload.address() + Frame.THREAD, thread());
      Native.putInt(payload.address() + Frame.RESULT, bytes);
      Native.copy(address, payload.address() + Frame.HEADER, bytes);
      write(payload.address(), length);
    }
  }

  @Override
  public int send(int flags) {
    write(out.address(), complete(Frame.KIND_CALL, flags | payloadFlag));
    return (flags & Frame.FLAG_ANSWER) == 0 ? posted() : receive();
  }

  /** Whoever looks at the reply finds none: that of the call before is not this one's. */
  private int posted() {
    replyBytes = 0;
    return 0;
  }

  private int receive() {
    boolean whole = read();
    replyBytes = whole ? bytesOfBody() : 0;
    return whole ? Native.getInt(in.address() + Frame.RESULT) : -1;
  }
}
