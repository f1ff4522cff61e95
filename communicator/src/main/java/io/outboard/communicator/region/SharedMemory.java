// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.region;

import io.outboard.wire.Native;
import io.outboard.wire.Region;
import io.outboard.wire.RegionOffer;
import java.io.IOException;
import java.security.SecureRandom;

/**
 * A region of memory that a client and its backend share. {@link io.outboard.wire.Region} says what
 * lies where.
 *
 * @param offer what the other process is told of it
 * @param file where it lies
 * @param passes whether the other process gets it by its descriptor; else it finds it by itself
 * @param doorbells how those that sleep on its words are woken
 */
public record SharedMemory(
    RegionOffer offer, SharedFile file, boolean passes, Doorbell.Kind doorbells)
    implements AutoCloseable {
  /** One that passes by its descriptor, between processes of one kernel. */
  private SharedMemory(RegionOffer offer, SharedFile file) {
    this(offer, file, true, Doorbell.Kind.FUTEX);
  }

  /** Makes a region. */
  public static SharedMemory create(RegionOffer offer) throws IOException {
    return new SharedMemory(offer, SharedFile.create("outboard-region", offer.bytes()));
  }

  /** Maps a region that has been offered; takes over the descriptor. */
  public static SharedMemory map(int descriptor, RegionOffer offer) throws IOException {
    return new SharedMemory(offer, SharedFile.map(descriptor, offer.bytes()));
  }

  /**
   * Makes a region in a part of memory that this machine shares with a guest of it. The words of an
   * earlier session go, and the mark says that the rest is made.
   *
   * @param part where; taken over
   * @param connection to the client, which carries nothing else
   */
  public static SharedMemory place(GuestMemory.Part part, RegionOffer offer, int connection)
      throws IOException {
    long mark = new SecureRandom().nextLong() | 1;
    RegionOffer placed = offer.placed(part.offset(), mark);
    SharedFile file = map(part, placed.bytes());
    Native.fill(file.address(), placed.head(), (byte) 0);
    Shared.put(file.address() + Region.MARK, mark);
    return new SharedMemory(
        placed,
        file,
        false,
        new StreamDoorbells(connection, file.address() + Region.BACKEND_WAITS));
  }

  private static SharedFile map(GuestMemory.Part part, long bytes) throws IOException {
    try {
      return SharedFile.map(part.descriptor(), part.offset(), bytes);
    } catch (IOException e) {
      part.close();
      throw e;
    }
  }

  /** A slot, with rings of its own in it; it ends with this memory. */
  SharedMemory slot(int number) {
    long begin = offer.bytes() - (long) (offer.slots() - number) * offer.slotBytes();
    RegionOffer rings = RegionOffer.of(offer.slotRing(), 0, 0);
    return new SharedMemory(rings, file.part(begin, rings.bytes()), passes, doorbells);
  }

  /** Its descriptor. */
  public int descriptor() {
    return file.descriptor();
  }

  /** Where it is mapped here. */
  public long address() {
    return file.address();
  }

  @Override
  public void close() {
    file.close();
  }
}
