// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import io.outboard.wire.Caller;
import io.outboard.wire.Dispatcher;
import io.outboard.wire.Frame;
import io.outboard.wire.Limits;
import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.util.Arrays;

/** A caller that hands each call to a dispatcher of the same process. For one thread. */
public final class LoopbackCaller implements Caller, Caller.Request {
  private static final byte[] NOTHING = {};

  private final Dispatcher dispatcher;
  private final MapHandles handles = new MapHandles();
  private final LoopbackCall call = new LoopbackCall(handles);
  private final long memory = Arena.global().allocate(Limits.BODY, 8).address();
  private final long replies = Arena.global().allocate(LoopbackCall.LARGEST_ANSWER, 8).address();
  private int largestPart = Limits.CHUNK;
  private int number;
  private int bytes;
  private int calls;
  private Kept kept;
  private byte[] payload = NOTHING;
  private byte[] lastBody = NOTHING;
  private byte[] reply = NOTHING;

  /** A function of the client, as it was to be kept. */
  public record Kept(long function, long userData, int position, boolean repeated) {}

  /** Calls {@code dispatcher}. */
  public LoopbackCaller(Dispatcher dispatcher) {
    this.dispatcher = dispatcher;
  }

  /** The session's handles. */
  public MapHandles handles() {
    return handles;
  }

  /** Sends variable parts that are longer as a payload. */
  public void setLargestPart(int largestPart) {
    this.largestPart = largestPart;
  }

  /** The longest variable part that is not sent as a payload. */
  int largestPart() {
    return largestPart;
  }

  /** The last function of the client. */
  public Kept kept() {
    return kept;
  }

  /** Number of calls so far. */
  public int calls() {
    return calls;
  }

  /** The body of the last call. */
  public byte[] lastBody() {
    return lastBody.clone();
  }

  /** The payload of the last call, empty if it had none. */
  public byte[] lastPayload() {
    return payload.clone();
  }

  /** Sends a body as it is. */
  public int send(int call, byte[] body, byte[] bulk) {
    return send(call, body, bulk, 0);
  }

  /** Sends a body as it is, with flags. */
  int send(int call, byte[] body, byte[] bulk, int flags) {
    calls++;
    lastBody = body;
    payload = bulk;
    this.call.begin(body, bulk, flags);
    int result = dispatcher.dispatch(call, this.call);
    reply = this.call.reply();
    for (int i = 0; i < reply.length; i++) {
      Native.putByte(replies + i, reply[i]);
    }
    return result;
  }

  @Override
  public Request begin(int library, int call, int fixed) {
    number = call;
    bytes = fixed;
    payload = NOTHING;
    Native.fill(memory, fixed, (byte) 0);
    return this;
  }

  @Override
  public long mint(int kind) {
    return handles.mint(kind);
  }

  @Override
  public void retire(long handle) {
    // The numbers of this caller are never given again.
  }

  /** {@inheritDoc} The number is the function's address. */
  @Override
  public long keep(long function, long userData, int position, boolean repeated) {
    kept = new Kept(function, userData, position, repeated);
    return function;
  }

  @Override
  public long body() {
    return memory;
  }

  @Override
  public void append(long address, long length) {
    boolean bulk = length > largestPart;
    Native.putLong(memory + bytes, bulk ? length | Long.MIN_VALUE : length);
    bytes += 8;
    if (bulk) {
      payload = read(address, length);
    } else {
      Native.fill(memory + bytes, Frame.align(length), (byte) 0);
      Native.copy(address, memory + bytes, length);
      bytes += (int) Frame.align(length);
    }
  }

  @Override
  public int send(int sendFlags) {
    return send(number, read(memory, bytes), payload, sendFlags);
  }

  /** Copies memory into an array. */
  static byte[] read(long address, long length) {
    byte[] copy = new byte[Math.toIntExact(length)];
    for (int i = 0; i < copy.length; i++) {
      copy[i] = Native.getByte(address + i);
    }
    return copy;
  }

  @Override
  public long reply() {
    return reply.length == 0 ? 0 : replies;
  }

  @Override
  public int replyBytes() {
    return reply.length;
  }

  @Override
  public String toString() {
    return "call " + number + " " + Arrays.toString(lastBody);
  }
}
