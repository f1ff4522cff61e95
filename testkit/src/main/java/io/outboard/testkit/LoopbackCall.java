// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import io.outboard.wire.Call;
import io.outboard.wire.Callbacks;
import io.outboard.wire.Handles;
import io.outboard.wire.Limits;
import io.outboard.wire.Meter;
import io.outboard.wire.Native;
import io.outboard.wire.ProtocolException;

/** A call whose body, payload and answer lie in guarded memory. */
public final class LoopbackCall implements Call {
  /** What {@link Callbacks#trampoline} returns; nothing is there. */
  public static final long TRAMPOLINE = 0x7001;

  private static final int LARGEST_PAYLOAD = 8 << 20;

  /** Less than a reply may have: each of many damaged requests is answered. */
  static final int LARGEST_ANSWER = 4 << 20;

  private final GuardedMemory bodies = new GuardedMemory(Limits.BODY);
  private final GuardedMemory payloads = new GuardedMemory(LARGEST_PAYLOAD);
  private final GuardedMemory answers = new GuardedMemory(LARGEST_ANSWER);
  private final Handles handles;
  private long body;
  private int bodyBytes;
  private int flags;
  private long payload;
  private long payloadBytes;
  private long answer;
  private int answerBytes;
  private boolean answered;

  /** A call of the session that has these handles. */
  public LoopbackCall(Handles handles) {
    this.handles = handles;
  }

  /** Begins a call with a body and, if it is not empty, a payload. */
  public void begin(byte[] body, byte[] payload, int flags) {
    this.bodyBytes = body.length;
    this.body = copy(bodies, body);
    this.payloadBytes = payload.length;
    this.payload = payload.length == 0 ? 0 : copy(payloads, payload);
    this.flags = flags;
    this.answer = 0;
    this.answerBytes = 0;
    this.answered = false;
  }

  /** The answer's body. */
  public byte[] reply() {
    byte[] bytes = new byte[answerBytes];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = Native.getByte(answer + i);
    }
    return bytes;
  }

  private static long copy(GuardedMemory memory, byte[] bytes) {
    long address = memory.place(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      Native.putByte(address + i, bytes[i]);
    }
    return address;
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
    return payload;
  }

  @Override
  public long payloadBytes() {
    return payloadBytes;
  }

  @Override
  public Handles handles() {
    return handles;
  }

  @Override
  public Meter meter() {
    return Meter.FREE;
  }

  @Override
  public Callbacks callbacks() {
    return _ -> TRAMPOLINE;
  }

  @Override
  public long answer(int bytes) {
    if (answered) {
      throw new IllegalStateException("answered twice");
    }
    if (bytes > LARGEST_ANSWER) {
      throw new ProtocolException("more is on its way than there is room for");
    }
    answered = true;
    answerBytes = bytes;
    answer = answers.place(bytes);
    return answer;
  }

  @Override
  public void answered(int bytes) {
    if (bytes > answerBytes) {
      throw new IllegalArgumentException("an answer only shrinks");
    }
    answerBytes = bytes;
  }
}
