// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

/**
 * A backend offers shared memory, after a Welcome that announces it. The file's descriptor comes
 * with the message's first byte, or the region has a place in memory of a hypervisor. PROTOCOL.md,
 * "Shared memory", has the region's picture.
 *
 * @param bytes of the whole region
 * @param ringBytes of each of the two rings
 * @param slots further rings, a pair each
 * @param slotBytes of each slot
 * @param offset in memory of a hypervisor
 * @param mark by which the client finds that memory; 0 where a descriptor comes
 */
public record RegionOffer(
    long bytes, long ringBytes, int slots, int slotBytes, long offset, long mark) {
  /** The offer of a region with these parts. */
  public static RegionOffer of(long ringBytes, int slots, int slotBytes) {
    return made(ringBytes, slots, slotBytes, 0, 0);
  }

  /** The offer of a region with so many slots, each of which has two rings of this length. */
  public static RegionOffer withSlots(long ringBytes, int slots, long slotRing) {
    return of(ringBytes, slots, Math.toIntExact(Region.HEAD + 2 * slotRing));
  }

  /** Bytes of each of the two rings of a slot. */
  public long slotRing() {
    return ((long) slotBytes - Region.HEAD) / 2;
  }

  private static RegionOffer made(long ring, int slots, int slotBytes, long there, long by) {
    long bytes = head(by) + 2 * ring + (long) slots * slotBytes;
    return new RegionOffer(bytes, ring, slots, slotBytes, there, by);
  }

  private static int head(long mark) {
    return mark != 0 ? Region.HEAD + Region.PLACED : Region.HEAD;
  }

  /**
   * One with these rings in memory of a hypervisor, at an offset that is a multiple of pages. It is
   * a page longer.
   */
  public RegionOffer placed(long there, long by) {
    return made(ringBytes, slots, slotBytes, there, by);
  }

  /** Bytes before the first ring. */
  public int head() {
    return head(mark);
  }

  /** Whether it has a place in memory of a hypervisor. */
  public boolean isPlaced() {
    return mark != 0;
  }

  /** Returns the message's bytes. */
  public byte[] encode() {
    MessageWriter out = new MessageWriter().u32(Message.TYPE_REGION).u32(0);
    out.u64(bytes).u64(ringBytes).u32(slots).u32(slotBytes);
    return (isPlaced() ? out.u64(offset).u64(mark) : out).message();
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
    int slots = in.u32();
    int slotBytes = in.u32();
    boolean placed = in.remaining() > 0;
    long[] place = placed ? in.longs(2) : new long[2];
    in.end();
    RegionOffer offer = new RegionOffer(sizes[0], sizes[1], slots, slotBytes, place[0], place[1]);
    if (!offer.possible() || placed != offer.isPlaced()) {
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
        && bytes == made(ringBytes, slots, slotBytes, offset, mark).bytes
        && offset >= 0
        && offset % Region.PAGE == 0;
  }
}
