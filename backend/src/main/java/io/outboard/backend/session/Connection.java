// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import io.outboard.backend.move.LongBuffers;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.backend.system.SharedPage;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.stream.ByteStream;
import io.outboard.wire.Frame;
import io.outboard.wire.Limits;
import io.outboard.wire.Native;
import io.outboard.wire.ProtocolException;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A client's connection: whole frames in, whole frames out. One thread at a time reads; any may
 * write.
 */
public final class Connection {
  /** Room for a frame of any size. */
  private static final long BUFFER = Frame.HEADER + Limits.BODY;

  /**
   * So much is read at once, to the front of the buffer each time: many small frames, and little
   * enough to leave the caches to the driver that runs them. A longer frame is read alone, so that
   * nothing lies behind it when it is kept.
   */
  private static final long SMALL = 32 << 10;

  private static final int SPARE_BUFFERS = 4;

  /** Most bytes of answers on their way that are longer than a frame, and of their headers. */
  private static final long LONG_ANSWERS = 2L * (Frame.HEADER + Limits.REPLY);

  private final SharedPage page;
  private final ReentrantLock writing = new ReentrantLock();
  // Of all the session's connections.
  private final LongBuffers longAnswers;
  private final Deque<NativeBuffer> spare = new ArrayDeque<>();
  // The session's, of one that a thread of the client has to itself.
  private final Optional<Connection> first;
  // Frames with text that have left, or are about to.
  private final AtomicInteger texts = new AtomicInteger();
  private NativeBuffer word;
  private final AtomicLong sent = new AtomicLong();
  // Guarded by the lock.
  private boolean closed;
  private ByteStream stream;
  // None where the session ends with its connection.
  private LastingStream lasting;
  private Runnable onFull = () -> {};
  private NativeBuffer buffer = new NativeBuffer(BUFFER);
  private long received;
  private long begin = buffer.address();
  private long end = begin;

  public Connection(ByteStream stream, SharedPage page) {
    this(stream, page, Optional.empty());
  }

  /** One of a thread of the client, beside the first one, which carries text. */
  Connection(ByteStream stream, SharedPage page, Optional<Connection> first) {
    this.stream = stream;
    this.page = page;
    this.first = first;
    this.longAnswers = first.isPresent() ? first.get().longAnswers : new LongBuffers(LONG_ANSWERS);
  }

  /**
   * The words of an answer in the place of its lane: beside the first connection how many frames
   * with text have gone there, which the client reads before the call returns.
   */
  int inPlaceOf(int lane) {
    return first.isPresent() ? first.get().texts.get() : lane;
  }

  /** Whether a thread of the client has it to itself, beside the first one. */
  boolean isBeside() {
    return first.isPresent();
  }

  /** Bytes that have been written. */
  long sent() {
    return sent.get();
  }

  /**
   * Takes what happens before a thread waits until the client says what it has: somebody else has
   * to read that, if this thread is the reader.
   */
  void onFull(Runnable listener) {
    onFull = listener;
  }

  /** Goes over to another stream, between the greeting and the first frame. */
  public void goOver(ByteStream to) {
    stream = to;
  }

  /** The same to one that outlives its connection. */
  public void goOver(LastingStream to) {
    lasting = to;
    word = new NativeBuffer(Frame.HEADER);
    Native.fill(word.address(), Frame.HEADER, (byte) 0);
    Native.putInt(word.address() + Frame.LENGTH, Frame.HEADER);
    Native.putByte(word.address() + Frame.KIND, (byte) Frame.KIND_PONG);
    goOver((ByteStream) to);
  }

  /**
   * Waits for the next frame and returns its address; it stays there until the next call.
   *
   * @throws EOFException if the client has gone
   */
  long next() throws IOException {
    require(Frame.HEADER);
    int length = Native.getInt(begin + Frame.LENGTH);
    if (length < Frame.HEADER || length > Frame.HEADER + Limits.BODY || (length & 7) != 0) {
      throw new ProtocolException("a frame of " + Integer.toUnsignedString(length) + " bytes");
    }
    require(length);
    if (lasting != null) {
      heard(Native.getLong(begin + Frame.ACKNOWLEDGED));
    }
    long frame = begin;
    begin += length;
    return frame;
  }

  /** Whether the client has lost it, as far as is known, and may come back. */
  boolean isAway() {
    return lasting != null && lasting.isGone();
  }

  private void heard(long has) throws IOException {
    if (!lasting.acknowledged(has)) {
      throw new ProtocolException("it has what was never sent");
    }
    tell();
  }

  /**
   * Says what has come, where the client should know; else whoever writes now does, and the next
   * frame says it too.
   */
  private void tell() throws IOException {
    while (lasting.owes() && writing.tryLock()) {
      try {
        send(word.address(), Frame.HEADER);
      } finally {
        writing.unlock();
      }
    }
  }

  /** Whether there is something to take; while nobody reads. */
  boolean pending() {
    return begin != end || stream.ready();
  }

  /** By the reader, around a wait of its own: see {@link ByteStream#attended}. */
  void attended(boolean on) {
    stream.attended(on);
  }

  /** Sleeps until something may have come; false where nobody can do that beside the reader. */
  boolean attend() {
    return stream.attend();
  }

  /** Bytes of all frames that have been taken; for the reader. */
  long taken() {
    return received - (end - begin);
  }

  /** How many further streams its stream has. */
  int further() {
    return stream.further();
  }

  /** One of them. */
  ByteStream further(int number) {
    return stream.further(number);
  }

  /** Bytes that the client has written into its stream. */
  long arrived() {
    return stream.arrived();
  }

  private void require(long bytes) throws IOException {
    if (end - begin < bytes) {
      moveToFront();
    }
    while (end - begin < bytes) {
      read(begin + Math.max(bytes, SMALL));
    }
  }

  private void moveToFront() {
    long rest = end - begin;
    Native.copy(begin, buffer.address(), rest);
    begin = buffer.address();
    end = begin + rest;
  }

  private void read(long until) throws IOException {
    long n = stream.read(end, until - end);
    if (n > 0) {
      end += n;
      received += n;
      page.received(n);
    } else if (n != -Errno.EINTR) {
      throw new EOFException(n == 0 ? gone() : Errno.text((int) -n));
    }
  }

  private String gone() {
    return lasting != null && lasting.isExpired() ? LastingStream.EXPIRED : "the client has gone";
  }

  /**
   * Leaves the present buffer to the caller, who gives it back with {@link #giveBack}; bytes that
   * have been read and not yet taken are moved to another one. For the reader, or while nobody
   * reads.
   */
  NativeBuffer keepBuffer() {
    NativeBuffer kept = buffer;
    buffer = takeSpare();
    Native.copy(begin, buffer.address(), end - begin);
    end = buffer.address() + (end - begin);
    begin = buffer.address();
    return kept;
  }

  private NativeBuffer takeSpare() {
    synchronized (spare) {
      NativeBuffer room = spare.pollLast();
      return room != null ? room : new NativeBuffer(BUFFER);
    }
  }

  /** Takes back what {@link #keepBuffer} returned. */
  void giveBack(NativeBuffer room) {
    synchronized (spare) {
      if (spare.size() < SPARE_BUFFERS) {
        spare.addLast(room);
        return;
      }
    }
    room.close();
  }

  /** The buffers for answers that are longer than a frame. */
  LongBuffers longAnswers() {
    return longAnswers;
  }

  /** Writes a frame, whole; waits where the client does not read. */
  public void write(long frame, int bytes) throws IOException {
    lockWithRoom(bytes);
    try {
      send(frame, bytes);
    } finally {
      writing.unlock();
    }
    if (lasting != null) {
      tell();
    }
  }

  /** Nobody waits within a frame that has begun: the other side may wait for it. */
  private void lockWithRoom(int bytes) {
    writing.lock();
    while (lasting != null && !lasting.hasRoom(bytes)) {
      writing.unlock();
      onFull.run();
      lasting.awaitRoom(bytes);
      writing.lock();
    }
  }

  private void send(long frame, int bytes) throws IOException {
    if (closed) {
      throw new EOFException("the session has ended");
    }
    if (lasting != null) {
      Native.putLong(frame + Frame.ACKNOWLEDGED, lasting.tell());
    }
    for (int done = 0; done < bytes; ) {
      done += writeSome(frame + done, bytes - done);
    }
    sent.setRelease(sent.getPlain() + bytes);
    page.sent(bytes);
  }

  private int writeSome(long address, int bytes) throws IOException {
    int n = (int) stream.write(address, bytes);
    if (n < 0) {
      throw new EOFException(Errno.text(-n));
    }
    return n;
  }

  /**
   * Writes a frame that is not an answer: text, or a question of this side. The caller may be a
   * thread of the driver, which knows nothing of this protocol: a client that breaks it is lost.
   */
  void send(int kind, byte[] body) throws IOException {
    send(kind, body.length, body);
  }

  /** The same with another result in the header than the body's length. */
  void send(int kind, int result, byte[] body) throws IOException {
    try {
      sendFrame(kind, result, body);
    } catch (ProtocolException e) {
      shutdown();
      throw new IOException(e.getMessage(), e);
    }
  }

  private void sendFrame(int kind, int result, byte[] body) throws IOException {
    if (kind == Frame.KIND_OUTPUT || kind == Frame.KIND_MESSAGE) {
      texts.incrementAndGet();
    }
    try (NativeBuffer frame = new NativeBuffer(Frame.HEADER + Frame.align(body.length))) {
      int bytes = (int) (Frame.HEADER + Frame.align(body.length));
      frame.put(Frame.HEADER, body, 0, body.length);
      Native.putInt(frame.address() + Frame.LENGTH, bytes);
      Native.putByte(frame.address() + Frame.KIND, (byte) kind);
      Native.putInt(frame.address() + Frame.RESULT, result);
      write(frame.address(), bytes);
    }
  }

  /** Sends text, cut into frames. */
  void text(int kind, byte[] bytes) throws IOException {
    for (int at = 0; at < bytes.length; at += Limits.CHUNK) {
      int part = Math.min(bytes.length - at, Limits.CHUNK);
      byte[] body = new byte[part];
      System.arraycopy(bytes, at, body, 0, part);
      send(kind, body);
    }
  }

  /** The next descriptor that the client has passed, −1 where there is none. */
  int descriptor() {
    return stream.descriptor();
  }

  /**
   * Closes the stream; nobody reads any more. A device may still have a function of the program to
   * call, which fails.
   */
  void close() {
    writing.lock();
    try {
      closed = true;
    } finally {
      writing.unlock();
    }
    stream.close();
    buffer.close();
    if (word != null) {
      word.close();
    }
    spare.forEach(NativeBuffer::close);
    if (first.isEmpty()) {
      longAnswers.close();
    }
  }

  /** Ends both directions: threads that read or write here return. */
  void shutdown() {
    stream.shutdown();
  }
}
