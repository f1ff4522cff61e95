// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

/** An answer of the backend in the greeting. */
public sealed interface Answer permits Challenge, Welcome, Refusal {
  /** Returns the message's bytes. */
  byte[] encode();

  /**
   * Takes a message of a backend apart.
   *
   * @throws ProtocolException if it is none of the three, or malformed
   */
  static Answer decode(byte[] message) {
    MessageReader in = new MessageReader("answer", message);
    int type = in.u32();
    return switch (type) {
      case Message.TYPE_CHALLENGE -> Challenge.decode(message);
      case Message.TYPE_WELCOME -> Welcome.decode(message);
      case Message.TYPE_REFUSAL -> Refusal.decode(message);
      default -> throw in.malformed("its type is " + type);
    };
  }
}
