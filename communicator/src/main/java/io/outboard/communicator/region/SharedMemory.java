// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.region;

import io.outboard.wire.RegionOffer;
import java.io.IOException;

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
