// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

/**
 * The answer to a {@link CodeRequest}; a {@link Refusal} is the other one.
 *
 * @param state {@link #SEND} or {@link #OPENED}
 * @param calls the most that may be under way at a time, once the service is open
 */
public record CodeAnswer(int state, int calls) {
  /** The jar is not here: its bytes are to follow, and the answer comes then. */
  public static final int SEND = 1;

  /** The service is open: frames follow. */
  public static final int OPENED = 2;

  /** Returns the message's bytes. */
  public byte[] encode() {
    return new MessageWriter()
        .u32(Message.TYPE_CODE_ANSWER)
        .u32(state)
        .u32(calls)
        .zeros(4)
        .message();
  }
}
