// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

/**
 * A client's answer to a {@link RegionOffer}.
 *
 * @param taken whether the descriptor has come and could be mapped: frames go over the region from
 *     here, else over the socket
 */
public record RegionAnswer(boolean taken) {
  /** Returns the message's bytes. */
  public byte[] encode() {
    return new MessageWriter().u32(Message.TYPE_REGION_ANSWER).u32(taken ? 1 : 0).message();
  }

  /**
   * Takes a message apart.
   *
   * @throws ProtocolException if it is not a well-formed answer
   */
  public static RegionAnswer decode(byte[] message) {
    MessageReader in = new MessageReader("region's answer", message);
    in.type(Message.TYPE_REGION_ANSWER);
    int taken = in.u32();
    in.end();
    if (taken > 1) {
      throw in.malformed("it is neither yes nor no");
    }
    return new RegionAnswer(taken == 1);
  }
}
