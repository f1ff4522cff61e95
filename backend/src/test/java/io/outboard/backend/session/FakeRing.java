// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import io.outboard.communicator.stream.ByteStream;
import io.outboard.wire.Frame;
import io.outboard.wire.Native;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A ring, and those beside it, whose client is a test. */
final class FakeRing implements ByteStream {
  private static final int ROOM = 64 << 10;

  private final List<FakeRing> beside;
  private final ByteBuffer sent = ByteBuffer.allocate(ROOM).order(ByteOrder.LITTLE_ENDIAN);
  private final ByteBuffer answers = ByteBuffer.allocate(ROOM).order(ByteOrder.LITTLE_ENDIAN);
  private final CountDownLatch held = new CountDownLatch(1);
  private volatile boolean holds;
  private final boolean counts;
  private int read;
  private boolean awaited;
  private boolean over;

  FakeRing(FakeRing... beside) {
    this(false, beside);
  }

  private FakeRing(boolean counts, FakeRing... beside) {
    this.counts = counts;
    this.beside = List.of(beside);
  }

  /** A connection, whose frames say how far what they name is behind them. */
  static FakeRing connection() {
    return new FakeRing(true);
  }

  /** From here on whoever opens a ring beside it waits, until {@link #release}. */
  void hold() {
    holds = true;
  }

  void release() {
    held.countDown();
  }

  /** Whether a thread waits for the next frame. */
  synchronized boolean awaited() {
    return awaited;
  }

  /** Whether an answer has come. */
  synchronized boolean answered() {
    return answers.position() > 0;
  }

  /** Sends a frame whose body is a word. */
  synchronized void send(
      int kind,
      int flags,
      int call,
      int library,
      int thread,
      long sequence,
      long fence,
      long word) {
    boolean has = kind != Frame.KIND_THREAD_END;
    send(kind, flags, call, library, thread, sequence, fence, has, word);
  }

  private void send(
      int kind,
      int flags,
      int call,
      int library,
      int thread,
      long sequence,
      long fence,
      boolean has,
      long word) {
    ByteBuffer frame = sent.slice(sent.position(), Frame.HEADER + Long.BYTES);
    frame.order(ByteOrder.LITTLE_ENDIAN);
    int bytes = has ? Frame.HEADER + Long.BYTES : Frame.HEADER;
    frame.putInt(Frame.LENGTH, bytes).put(Frame.KIND, (byte) kind).put(Frame.FLAGS, (byte) flags);
    frame.putShort(Frame.CALL, (short) call).putInt(Frame.LIBRARY, library);
    frame.putInt(Frame.THREAD, thread).putLong(Frame.SEQUENCE, sequence);
    if (counts) {
      frame.putInt(Frame.RESULT, fence < sequence ? (int) (sequence - fence) : 0);
    } else {
      frame.putLong(Frame.ACKNOWLEDGED, fence);
    }
    if (has) {
      frame.putLong(Frame.HEADER, word);
    }
    sent.position(sent.position() + bytes);
    notifyAll();
  }

  /** Sends a frame without a body. */
  synchronized void send(
      int kind, int flags, int call, int library, int thread, long sequence, long fence) {
    send(kind, flags, call, library, thread, sequence, fence, false, 0);
  }

  /** Waits for the next answer and returns what it has in the place of its lane. */
  synchronized int lane() throws InterruptedException {
    awaitAnswer();
    int lane = answers.getInt(Frame.LANE);
    int unused = result();
    return lane;
  }

  private void awaitAnswer() throws InterruptedException {
    while (answers.position() < Frame.HEADER) {
      wait();
    }
  }

  /** Waits for the next answer and returns its result. */
  synchronized int result() throws InterruptedException {
    awaitAnswer();
    int bytes = answers.getInt(Frame.LENGTH);
    int result = answers.getInt(Frame.RESULT);
    answers.flip().position(bytes);
    answers.compact();
    return result;
  }

  @Override
  public synchronized long read(long address, long bytes) {
    try {
      while (read == sent.position() && !over) {
        awaited = true;
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    } finally {
      awaited = false;
    }
    int n = (int) Math.min(bytes, sent.position() - read);
    for (int i = 0; i < n; i++) {
      Native.putByte(address + i, sent.get(read + i));
    }
    read += n;
    return n;
  }

  @Override
  public synchronized boolean ready() {
    return read < sent.position();
  }

  @Override
  public synchronized long write(long address, long bytes) {
    for (long i = 0; i < bytes; i++) {
      answers.put(Native.getByte(address + i));
    }
    notifyAll();
    return bytes;
  }

  @Override
  public int further() {
    return beside.size();
  }

  @Override
  public ByteStream further(int number) {
    if (holds) {
      awaitRelease();
    }
    return beside.get(number);
  }

  private void awaitRelease() {
    try {
      held.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public synchronized long arrived() {
    return sent.position();
  }

  @Override
  public synchronized void shutdown() {
    over = true;
    notifyAll();
  }

  @Override
  public void close() {}
}
