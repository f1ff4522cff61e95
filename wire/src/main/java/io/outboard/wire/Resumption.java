// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

import java.util.Optional;

/**
 * The message of either side over a connection on which a session goes on: first the client, then
 * the backend (PROTOCOL.md, Resumption).
 *
 * @param epoch which of the session's connections it is: the client's last one, then this one
 * @param bytes how many bytes of the other side's frames have come, counted from the first
 */
public record Resumption(int epoch, long bytes) {
  /** Returns the message's bytes. */
  public byte[] encode() {
    return new MessageWriter().u32(Message.TYPE_RESUMPTION).u32(epoch).u64(bytes).message();
  }

  /**
   * Takes the answer to one apart.
   *
   * @return nothing where it is no resumption: a backend's {@link Answer}, then
   * @throws ProtocolException if it is malformed
   */
  public static Optional<Resumption> answered(byte[] message) {
    int type = new MessageReader("answer", message).u32();
    return type == Message.TYPE_RESUMPTION ? Optional.of(decode(message)) : Optional.empty();
  }

  /**
   * Takes a message apart.
   *
   * @throws ProtocolException if it is not a well-formed one
   */
  public static Resumption decode(byte[] message) {
    MessageReader in = new MessageReader("Resumption", message);
    in.type(Message.TYPE_RESUMPTION);
    Resumption resumption = new Resumption(in.word(), in.longs(1)[0]);
    in.end();
    return resumption;
  }
}
