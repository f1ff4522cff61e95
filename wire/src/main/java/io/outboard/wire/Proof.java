// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

/**
 * A client's answer to a {@link Challenge}.
 *
 * @param code what {@link Token#clientProof} returns
 */
public record Proof(Bytes code) {
  /** Checks the code's length. */
  public Proof {
    code.exactly(Message.NONCE);
  }

  /** Returns the message's bytes. */
  public byte[] encode() {
    return new MessageWriter().u32(Message.TYPE_PROOF).u32(0).bytes(code).message();
  }

  /**
   * Takes a message apart.
   *
   * @throws ProtocolException if it is not a well-formed Proof
   */
  public static Proof decode(byte[] message) {
    MessageReader in = new MessageReader("Proof", message);
    in.type(Message.TYPE_PROOF);
    in.skip(4);
    Proof proof = new Proof(in.bytes(Message.NONCE));
    in.end();
    return proof;
  }
}
