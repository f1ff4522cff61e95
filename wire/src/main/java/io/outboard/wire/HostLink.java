// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

/**
 * The message of a backend to two others that it has joined: the worker of one is to have a link to
 * that of the other (PROTOCOL.md, Several hosts). The same message is the answer.
 *
 * @param slot of the host that the receiver connects to; 0 where it is connected to
 * @param nonce of which both make the key; {@link Message#IDENTITY} bytes
 */
public record HostLink(int slot, Bytes nonce) {
  /** Checks the nonce's length. */
  public HostLink {
    nonce.exactly(Message.IDENTITY);
  }

  /** For the host that connects to that of a slot. */
  public static HostLink to(Slot slot, Bytes nonce) {
    return new HostLink(slot.number(), nonce);
  }

  /** The same for the host that is connected to. */
  public HostLink reached() {
    return new HostLink(0, nonce);
  }

  /** Whether the receiver connects. */
  public boolean connects() {
    return slot > 0;
  }

  /** The secret of the link's two ends, made with the token that the teller has proven. */
  public Token key(Token proven) {
    return proven.derived("link " + nonce.hex());
  }

  /** Returns the message's bytes. */
  public byte[] encode() {
    return new MessageWriter().u32(Message.TYPE_LINK).u32(slot).bytes(nonce).message();
  }

  /**
   * Takes a message apart.
   *
   * @throws ProtocolException if it is not a well-formed one
   */
  public static HostLink decode(byte[] message) {
    MessageReader in = new MessageReader("HostLink", message);
    in.type(Message.TYPE_LINK);
    int slot = in.u32();
    if (slot >= Slot.MOST) {
      throw in.malformed("a slot " + slot);
    }
    HostLink link = new HostLink(slot, in.bytes(Message.IDENTITY));
    in.end();
    return link;
  }
}
