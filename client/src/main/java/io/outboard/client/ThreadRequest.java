// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import io.outboard.wire.Caller;
import io.outboard.wire.Frame;
import io.outboard.wire.Limits;
import io.outboard.wire.Native;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** The calls of one thread, one at a time; its memory is used again and again. */
final class ThreadRequest implements Caller.Request {
  private static final int WORD = 8;

  private final FrameWriter writer;
  private final Thread thread;
  private final int number;
  private final Backlog backlog;
  private final LostLane lost;
  private final Lead lead;
  private final AtomicBoolean queued = new AtomicBoolean();
  private final NativeBuffer frame = new NativeBuffer();
  private final AwaitedReplies replies = new AwaitedReplies();
  private int lane;
  private boolean answering;
  private ClientLibrary library;
  private int bodyBytes;
  private long payload;
  private long payloadBytes;
  // Bytes of the reply to the latest call.
  private int replyBytes;

  ThreadRequest(
      FrameWriter writer, Thread thread, int number, Backlog backlog, LostLane lost, Lead lead) {
    this.writer = writer;
    this.thread = thread;
    this.number = number;
    this.backlog = backlog;
    this.lost = lost;
    this.lead = lead;
  }

  Thread thread() {
    return thread;
  }

  int number() {
    return number;
  }

  void lane(int lane) {
    this.lane = lane;
  }

  int lane() {
    return lane;
  }

  /** Whether each call is answered from now on, however it is sent. */
  void answering(boolean each) {
    answering = each;
  }

  /** Address of the frame, header first. */
  long frame() {
    return frame.address();
  }

  int bodyBytes() {
    return bodyBytes;
  }

  long payload() {
    return payload;
  }

  long payloadBytes() {
    return payloadBytes;
  }

  /** Begins a call of a library. */
  ThreadRequest begin(ClientLibrary library, int call, int fixed) {
    this.library = library;
    bodyBytes = 0;
    payload = 0;
    payloadBytes = 0;
    replyBytes = 0;
    extend(Frame.align(fixed));
    Native.fill(frame.address(), Frame.HEADER + (long) bodyBytes, (byte) 0);
    Native.putShort(frame.address() + Frame.CALL, (short) call);
    Native.putInt(frame.address() + Frame.LIBRARY, library.id());
    return this;
  }

  @Override
  public long body() {
    return frame.address() + Frame.HEADER;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if a second part is too long for the body, or one is longer
   *     than {@link Limits#PAYLOAD}
   */
  @Override
  public void append(long address, long bytes) {
    if (bytes > Limits.CHUNK || WORD + Frame.align(bytes) > Limits.BODY - bodyBytes) {
      appendPayload(address, bytes);
      return;
    }
    int at = bodyBytes;
    extend(WORD + Frame.align(bytes));
    if (bytes > 0) {
      Native.putLong(body() + bodyBytes - WORD, 0);
      Native.copy(address, body() + at + WORD, bytes);
    }
    Native.putLong(body() + at, bytes);
  }

  private void appendPayload(long address, long bytes) {
    if (payloadBytes != 0 || bytes > Limits.PAYLOAD) {
      throw new IllegalArgumentException("a call has one long part of at most 2 GiB");
    }
    payload = address;
    payloadBytes = bytes;
    extend(WORD);
    Native.putLong(body() + bodyBytes - WORD, bytes | Long.MIN_VALUE);
  }

  private void extend(long bytes) {
    if (bytes > Limits.BODY - bodyBytes) {
      throw new IllegalArgumentException("a body has at most " + Limits.BODY + " bytes");
    }
    long before = Frame.HEADER + (long) bodyBytes;
    frame.grow(before + bytes, before);
    bodyBytes += (int) bytes;
  }

  @Override
  public int send(int flags) {
    boolean posts = (flags & Frame.FLAG_ANSWER) == 0;
    boolean waits = !posts || answering || mustWait();
    int answer = waits ? Frame.FLAG_ANSWER : 0;
    int parts = payloadBytes == 0 ? 0 : Frame.FLAG_PAYLOAD;
    if (!writer.call(this, flags | answer | parts)) {
      return library.unavailable();
    }
    return waits ? answer(posts) : 0;
  }

  private boolean mustWait() {
    return lost.is(lane) || backlog.isFull(bodyBytes + payloadBytes);
  }

  @Override
  public int ask(int flags, long to, long bytes) {
    int result = replies.isFull() ? takeOldest() : 0;
    if (result != 0) {
      return result;
    }
    replies.place(to, bytes);
    return writer.call(this, flags | Frame.FLAG_ANSWER) ? 0 : library.unavailable();
  }

  /** Waits for the replies to all that was asked for; returns the first failure. */
  int settle(int before) {
    int result = before;
    while (!replies.isEmpty()) {
      int next = takeOldest();
      result = result == 0 ? next : result;
    }
    return result;
  }

  private int takeOldest() {
    replies.awaitOldest();
    lead.await(this);
    backlog.answered();
    boolean missing = replies.areMissing();
    replies.awaitAll();
    if (missing) {
      return abandon();
    }
    AwaitedReplies.Reply reply = replies.take();
    lost.learn(library, lane, reply.result(), false);
    return reply.result();
  }

  /** The connection is lost. The caller's memory is its own again: nobody reads into it now. */
  private int abandon() {
    lead.awaitLeader();
    AwaitedReplies.Reply unused = replies.takeLast();
    return library.unavailable();
  }

  private int answer(boolean wouldBePosted) {
    int answer = await();
    lost.learn(library, lane, answer, wouldBePosted);
    return answer;
  }

  /** The call gets its number; from here its reply may come. */
  void issued(long sequence, boolean waits) {
    if (waits) {
      replies.ask(sequence);
    }
  }

  /** Waits for the reply, whether or not the thread is interrupted meanwhile. */
  private int await() {
    lead.await(this);
    backlog.answered();
    boolean missing = replies.areMissing();
    AwaitedReplies.Reply reply = replies.takeLast();
    replyBytes = missing ? 0 : reply.bytes();
    return missing ? library.unavailable() : reply.result();
  }

  /** Whether this thread is owed the reply to that call, which comes now; asked by the reader. */
  boolean awaits(long sequence) {
    return replies.find(sequence);
  }

  /** Whether this thread waits for a reply; any may ask. */
  boolean waits() {
    return replies.areMissing();
  }

  /** Makes room for a reply's body and returns its address; done by the reader. */
  long replyRoom(int bytes) {
    return replies.room(bytes);
  }

  /** Whether part of the reply has come, in a frame of its own; asked by the reader. */
  boolean isReplyBegun() {
    return replies.isBegun();
  }

  /** Where the one part of that reply goes; 0 if to its own memory; asked by the reader. */
  long replyPlace() {
    return replies.place();
  }

  /** Most bytes that go there; asked by the reader. */
  long replyPlaceBytes() {
    return replies.placeBytes();
  }

  /** So many bytes of the reply have come, and more follow; done by the reader. */
  void repliedInPart(int bytes) {
    replies.add(bytes);
  }

  /** Ends the waiting with a reply, or its last bytes; done by the reader. */
  void replied(int code, int bytes) {
    replies.answer(code, bytes);
    if (thread != Thread.currentThread()) {
      wake();
    }
  }

  /** It is to wait among others that may lead; true if it is not among them yet. */
  boolean entersQueue() {
    return queued.compareAndSet(false, true);
  }

  /** It is among them no more; true if it still waits. */
  boolean leavesQueue() {
    queued.set(false);
    return waits();
  }

  void wake() {
    LockSupport.unpark(thread);
  }

  @Override
  public int malformed() {
    writer.broken("a reply is not of its call's shape");
    return library.unavailable();
  }

  @Override
  public long reply() {
    return replyBytes == 0 ? 0 : replies.last().address();
  }

  @Override
  public int replyBytes() {
    return replyBytes;
  }
}
