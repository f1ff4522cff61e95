// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A backend turns a client away.
 *
 * @param code one of the constants here, or one of a later version
 * @param text says why, for people
 */
public record Refusal(int code, String text) implements Answer {
  /** Code: no protocol version in common. */
  public static final int VERSION = 1;

  /** Code: the token is wrong, or there is none. */
  public static final int TOKEN = 2;

  /** Code: a limit is reached. */
  public static final int LIMIT = 3;

  /** Code: no such device. */
  public static final int DEVICE = 4;

  /** Code: the client broke the protocol. */
  public static final int MALFORMED = 5;

  /** Code: the backend failed. */
  public static final int INTERNAL = 6;

  /** Code: the session to join is not there. */
  public static final int SESSION = 7;

  /** Code: a lease is wanted, or that of the client cannot be used. */
  public static final int LEASE = 8;

  /** Code: the code that a client wants to run does not run here, or not for it. */
  public static final int CODE = 9;

  @Override
  public byte[] encode() {
    MessageWriter out = new MessageWriter().u32(Message.TYPE_REFUSAL).u32(code);
    return out.bytes(text.getBytes(UTF_8)).zeros(1).align().message();
  }

  /**
   * Takes a message apart.
   *
   * @throws ProtocolException if it is not a well-formed Refusal
   */
  public static Refusal decode(byte[] message) {
    MessageReader in = new MessageReader("Refusal", message);
    in.type(Message.TYPE_REFUSAL);
    return new Refusal(in.word(), in.text(in.remaining()));
  }
}
