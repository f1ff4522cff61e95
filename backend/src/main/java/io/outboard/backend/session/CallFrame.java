// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import io.outboard.backend.library.LibraryInstance;
import io.outboard.backend.library.LoggedCall;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.wire.Callbacks;
import io.outboard.wire.Dispatcher;
import io.outboard.wire.Frame;
import io.outboard.wire.Handles;
import io.outboard.wire.Limits;
import io.outboard.wire.Meter;
import io.outboard.wire.Native;
import io.outboard.wire.ProtocolException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** One call while it is run, and the frame of its answer; reused. */
public final class CallFrame implements LoggedCall {
  private static final int SMALL = 32 << 10;
  private static final int FEW = 256;

  /** A larger answer is bulk data, all of which the call writes. */
  private static final int BULK = 64 << 10;

  private final Handles handles;
  private final Callbacks callbacks;
  private final Connection connection;
  private final NativeBuffer replies = new NativeBuffer(SMALL);
  private final NativeBuffer kept = new NativeBuffer(SMALL);
  // The connection's buffer in which the body lies, where this call keeps it.
  private NativeBuffer buffer;
  private Payload payload;
  private long body;
  private int bodyBytes;
  private int flags;
  private int replyBytes;
  // Of an answer that is longer than a frame.
  private NativeBuffer longReply;
  private int longBytes;

  // The session's view of the call; written by take and by the session.
  int number;
  int lane;
  int thread;
  int libraryNumber;
  long sequence;
  long fence;
  LibraryInstance library;
  Meter meter = Meter.FREE;
  int answering;

  // The value of the thread's own object, as the call was last told it.
  long own;

  // The ring that it comes through.
  Rings.Progress ring;

  // Calls over the first ring when this one came there; 0 of another ring.
  int earlier;

  // The calls of its connection that have come and are to be answered.
  AtomicInteger unanswered;

  // Held while it is issued, where calls of other rings must not be.
  ReentrantLock turn;

  // The lanes' own: see Lanes.
  long arrival;
  long barrier;

  public CallFrame(Handles handles, Callbacks callbacks, Connection connection) {
    this.handles = handles;
    this.callbacks = callbacks;
    this.connection = connection;
  }

  /** Takes the frame at an address; its length has been checked. */
  void take(long frame) {
    bodyBytes = Native.getInt(frame + Frame.LENGTH) - Frame.HEADER;
    body = frame + Frame.HEADER;
    flags = Native.getByte(frame + Frame.FLAGS) & 0xff;
    number = Native.getShort(frame + Frame.CALL) & 0xffff;
    libraryNumber = Native.getInt(frame + Frame.LIBRARY);
    lane = Native.getInt(frame + Frame.LANE);
    thread = Native.getInt(frame + Frame.THREAD);
    sequence = Native.getLong(frame + Frame.SEQUENCE);
    fence = Native.getLong(frame + Frame.ACKNOWLEDGED);
    replyBytes = 0;
    own = Handles.INVALID;
    if (lane < 0 || lane >= Limits.LANES || thread < 0 || thread >= Limits.THREADS) {
      throw new ProtocolException("a call of lane " + lane + " and thread " + thread);
    }
  }

  /**
   * Takes the number that a frame names in its header as a distance, where the place of that number
   * has another meaning.
   */
  static long behind(long frame) {
    long distance = Integer.toUnsignedLong(Native.getInt(frame + Frame.RESULT));
    return distance == 0 ? Long.MAX_VALUE : Native.getLong(frame + Frame.SEQUENCE) - distance;
  }

  /** Keeps the body, so that the next frame can be read; for the reader. */
  void keepBody() {
    if (bodyBytes > SMALL) {
      buffer = connection.keepBuffer();
      return;
    }
    Native.copy(body, kept.address(), bodyBytes);
    body = kept.address();
  }

  /** Keeps the buffer in which the body lies, taken from the connection by another thread. */
  void keep(NativeBuffer its) {
    buffer = its;
  }

  /** The payload that came ahead of this call; freed by {@link #clear}. */
  void attach(Payload its) {
    payload = its;
  }

  /** Gives back what the call kept. */
  void clear() {
    if (buffer != null) {
      connection.giveBack(buffer);
      buffer = null;
    }
    if (payload != null) {
      payload.close();
      payload = null;
    }
    if (longReply != null) {
      connection.longAnswers().giveBack(longReply, longBytes);
      longReply = null;
    }
  }

  /** Frees everything; the object is of no use afterwards. */
  void free() {
    clear();
    replies.close();
    kept.close();
  }

  /** The bytes that it holds while no call uses it. */
  long bytes() {
    return replies.bytes() + kept.bytes();
  }

  /** Whether it may wait: it does not hold its lane up. */
  boolean waits() {
    return answering == Dispatcher.BLOCKING;
  }

  boolean answered() {
    return (flags & Frame.FLAG_ANSWER) != 0;
  }

  boolean ordered() {
    return (flags & Frame.FLAG_ORDERED) != 0;
  }

  /** Whether it is behind all that was sent before it, whatever that is about. */
  boolean wide() {
    return fence >= sequence;
  }

  /** Whether it ends its lane's context. */
  boolean last() {
    return (flags & Frame.FLAG_LAST) != 0;
  }

  boolean hasPayload() {
    return (flags & Frame.FLAG_PAYLOAD) != 0;
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
    return payload == null ? 0 : payload.address();
  }

  @Override
  public long payloadBytes() {
    return payload == null ? 0 : payload.bytes();
  }

  @Override
  public long sequence() {
    return sequence;
  }

  @Override
  public int thread() {
    return thread;
  }

  @Override
  public long own() {
    return own;
  }

  @Override
  public Handles handles() {
    return handles;
  }

  @Override
  public long perThread(int kind, long special) {
    own = library.perThread(lane, thread, kind, special);
    return own;
  }

  @Override
  public Meter meter() {
    return meter;
  }

  @Override
  public Callbacks callbacks() {
    return callbacks;
  }

  @Override
  public long answer(int bytes) {
    if (bytes < 0 || bytes > Limits.REPLY) {
      throw new ProtocolException("an answer of " + bytes + " bytes");
    }
    replyBytes = (int) Frame.align(bytes);
    if (bytes > Limits.BODY) {
      longBytes = Frame.HEADER + replyBytes;
      longReply = connection.longAnswers().take(longBytes);
    } else {
      replies.grow((long) Frame.HEADER + replyBytes, 0);
    }
    long at = reply() + Frame.HEADER;
    clear(at, replyBytes);
    return at;
  }

  /** Most answers are a few words, for which a general fill is slow until it is compiled. */
  private static void clear(long at, int bytes) {
    if (bytes > BULK) {
      clear(at, FEW);
      Native.putLong(at + bytes - Long.BYTES, 0);
      return;
    }
    if (bytes > FEW) {
      Native.fill(at, bytes, (byte) 0);
      return;
    }
    for (int i = 0; i < bytes; i += Long.BYTES) {
      Native.putLong(at + i, 0);
    }
  }

  @Override
  public void answered(int bytes) {
    replyBytes = (int) Frame.align(bytes);
  }

  /** The address of the answer's frame. */
  private long reply() {
    return longReply == null ? replies.address() : longReply.address();
  }

  /** Sends the answer. A dispatcher has taken back the body of a call that failed. */
  void reply(int result) throws IOException {
    long frame = reply();
    int left = replyBytes;
    // A header lies before each part, over bytes that have left.
    for (; left > Limits.BODY; left -= Limits.CHUNK, frame += Limits.CHUNK) {
      reply(frame, result, Frame.FLAG_MORE, Limits.CHUNK);
    }
    reply(frame, result, 0, left);
  }

  private void reply(long frame, int result, int more, int bytes) throws IOException {
    int length = Frame.HEADER + bytes;
    Native.putInt(frame + Frame.LENGTH, length);
    Native.putByte(frame + Frame.KIND, (byte) Frame.KIND_REPLY);
    Native.putByte(frame + Frame.FLAGS, (byte) more);
    Native.putShort(frame + Frame.CALL, (short) number);
    Native.putInt(frame + Frame.LIBRARY, libraryNumber);
    Native.putInt(frame + Frame.LANE, connection.inPlaceOf(lane));
    Native.putInt(frame + Frame.THREAD, thread);
    Native.putInt(frame + Frame.RESULT, result);
    Native.putLong(frame + Frame.SEQUENCE, sequence);
    Native.putLong(frame + Frame.ACKNOWLEDGED, sequence);
    connection.write(frame, length);
  }
}
