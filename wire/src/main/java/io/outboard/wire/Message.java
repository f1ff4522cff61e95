// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The common part of all messages of the greeting (PROTOCOL.md, Greeting). */
public final class Message {
  /** First word of every message. */
  public static final int MAGIC = 0x4454424F;

  /** Bytes of the magic and the length. */
  public static final int HEADER = 8;

  /** Highest protocol version that this side speaks. */
  public static final int VERSION = 1;

  /** Lowest protocol version that this side speaks; the last two are spoken. */
  public static final int OLDEST = 1;

  /** Bytes of a nonce and of a proof. */
  public static final int NONCE = 32;

  /** Bytes of a session's identity and of its secret. */
  public static final int IDENTITY = 16;

  static final int TYPE_CHALLENGE = 2;
  static final int TYPE_PROOF = 3;
  static final int TYPE_WELCOME = 4;
  static final int TYPE_REFUSAL = 5;
  static final int TYPE_REGION = 6;
  static final int TYPE_REGION_ANSWER = 7;
  static final int TYPE_CONTROL = 8;
  static final int TYPE_RESUMPTION = 9;
  static final int TYPE_LINK = 10;
  static final int TYPE_CODE_REQUEST = 11;
  static final int TYPE_CODE_ANSWER = 12;

  private Message() {}

  /**
   * Returns the length of a message, header included.
   *
   * @param header its first {@link #HEADER} bytes, or more
   * @throws ProtocolException if it is not the header of a message
   */
  public static int length(byte[] header) {
    if (header.length < HEADER) {
      throw new ProtocolException("a message has " + header.length + " bytes");
    }
    ByteBuffer in = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
    if (in.getInt(0) != MAGIC) {
      throw new ProtocolException("this is not Outboard's protocol");
    }
    int length = in.getInt(4);
    if (length < 2 * HEADER || length > Limits.HANDSHAKE || length % 8 != 0) {
      throw new ProtocolException("a message has the length " + Integer.toUnsignedString(length));
    }
    return length;
  }
}
