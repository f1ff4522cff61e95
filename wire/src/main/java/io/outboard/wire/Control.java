// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Locale;

/**
 * A message of a control connection (PROTOCOL.md, Control): a client's request to the daemon, and
 * the rows that answer it, with an end.
 *
 * @param kind what it is
 * @param text one line; its form is between the two sides (PROTOCOL.md, Control)
 */
public record Control(Kind kind, String text) {
  /** The kind of a message. */
  public enum Kind {
    /** The client asks. */
    REQUEST(1),
    /** A row of the answer. */
    ROW(2),
    /** The answer is complete. */
    DONE(3),
    /** The request was not understood: the mistake is the caller's. */
    MISUSED(4),
    /** The request cannot be granted; the text says why. */
    FAILED(5);

    private final int code;

    Kind(int code) {
      this.code = code;
    }
  }

  /** Whether nothing follows it. */
  public boolean ends() {
    return kind != Kind.REQUEST && kind != Kind.ROW;
  }

  /** Returns the message's bytes. */
  public byte[] encode() {
    MessageWriter out = new MessageWriter().u32(Message.TYPE_CONTROL).u32(kind.code);
    return out.bytes(text.getBytes(UTF_8)).zeros(1).align().message();
  }

  /**
   * Takes a message apart.
   *
   * @throws ProtocolException if it is not a well-formed Control
   */
  public static Control decode(byte[] message) {
    MessageReader in = new MessageReader("Control", message);
    in.type(Message.TYPE_CONTROL);
    Kind kind = kind(in, in.u32());
    return new Control(kind, in.text(in.remaining()));
  }

  private static Kind kind(MessageReader in, int code) {
    for (Kind kind : Kind.values()) {
      if (kind.code == code) {
        return kind;
      }
    }
    throw in.malformed("its kind is " + code);
  }

  /** For people. */
  @Override
  public String toString() {
    return kind.name().toLowerCase(Locale.ROOT) + " " + text;
  }
}
