// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

/**
 * A backend asks for a proof of the token, where the transport does not vouch for the peer.
 *
 * @param nonce {@link Message#NONCE} bytes, fresh for each greeting
 */
public record Challenge(Bytes nonce) implements Answer {
  /** Checks the nonce's length. */
  public Challenge {
    nonce.exactly(Message.NONCE);
  }

  @Override
  public byte[] encode() {
    return new MessageWriter().u32(Message.TYPE_CHALLENGE).u32(0).bytes(nonce).message();
  }

  /**
   * Takes a message apart.
   *
   * @throws ProtocolException if it is not a well-formed Challenge
   */
  public static Challenge decode(byte[] message) {
    MessageReader in = new MessageReader("Challenge", message);
    in.type(Message.TYPE_CHALLENGE);
    in.skip(4);
    Challenge challenge = new Challenge(in.bytes(Message.NONCE));
    in.end();
    return challenge;
  }
}
