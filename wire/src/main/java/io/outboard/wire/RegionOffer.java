// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

/**
 * A backend offers shared memory, after a Welcome that announces it; the file's descriptor comes
 * with the message's first byte. PROTOCOL.md, "Shared memory", has the region's picture.
 *
 * @param bytes of the whole region
 * @param ringBytes of each of the two rings
 * @param slots room for what may come; a backend of today offers none
 * @param slotBytes of each slot
 */
public record RegionOffer(long bytes, long ringBytes, int slots, int slotBytes) {
  /** The offer of a region with these parts. */
  public static RegionOffer of(long ringBytes, int slots, int slotBytes) {
    return new RegionOffer(
        Region.HEAD + 2 * ringBytes + (long) slots * slotBytes, ringBytes, slots, slotBytes);
  }

  /** Returns the message's bytes. */
  public byte[] encode() {
    MessageWriter out = new MessageWriter().u32(Message.TYPE_REGION).u32(0);
    return out.u64(bytes).u64(ringBytes).u32(slots).u32(slotBytes).message();
  }

  /**
   * Takes a message apart.
   *
   * @throws ProtocolException if it is not a well-formed offer
   */
  public static RegionOffer decode(byte[] message) {
    MessageReader in = new MessageReader("Region", message);
    in.type(Message.TYPE_REGION);
    in.skip(4);
    long[] sizes = in.longs(2);
    RegionOffer offer = new RegionOffer(sizes[0], sizes[1], in.u32(), in.u32());
    in.end();
    if (!offer.possible()) {
      throw in.malformed("its parts do not fit: " + offer);
    }
    return offer;
  }

  private boolean possible() {
    return ringBytes >= Region.LEAST_RING
        && ringBytes <= Region.MOST_RING
        && Long.bitCount(ringBytes) == 1
        && slots <= Region.MOST_SLOTS
        && slotBytes <= Region.MOST_RING
        && slotBytes % Region.PAGE == 0
        && bytes == of(ringBytes, slots, slotBytes).bytes;
  }
}
