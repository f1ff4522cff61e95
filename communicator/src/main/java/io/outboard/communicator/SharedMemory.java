// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator;

import io.outboard.wire.RegionOffer;
import java.io.IOException;

/**
 * A region of memory that two processes map: a file without a name, whose descriptor one of them
 * makes and passes to the other. {@link io.outboard.wire.Region} says what lies where.
 */
public final class SharedMemory implements AutoCloseable {
  private static final int SEALS = Memory.F_SEAL_SHRINK | Memory.F_SEAL_GROW | Memory.F_SEAL_SEAL;

  private final int descriptor;
  private final RegionOffer offer;
  private final long address;

  private SharedMemory(int descriptor, RegionOffer offer, long address) {
    this.descriptor = descriptor;
    this.offer = offer;
    this.address = address;
  }

  /** Makes a region; it never changes its length, so that no access to it can be a signal. */
  public static SharedMemory create(RegionOffer offer) throws IOException {
    int flags = Memory.MFD_CLOEXEC | Memory.MFD_ALLOW_SEALING;
    int descriptor = Errno.check(Memory.memfdCreate("outboard-region", flags), "memfd_create");
    try {
      Errno.check(Memory.ftruncate(descriptor, offer.bytes()), "ftruncate");
      Errno.check(Posix.fcntl(descriptor, Posix.F_ADD_SEALS, SEALS), "sealing shared memory");
      return map(descriptor, offer);
    } catch (IOException e) {
      Posix.close(descriptor);
      throw e;
    }
  }

  /** Maps a region that has been offered; takes over the descriptor. */
  public static SharedMemory map(int descriptor, RegionOffer offer) throws IOException {
    int access = Memory.PROT_READ | Memory.PROT_WRITE;
    long address = Memory.mmap(0, offer.bytes(), access, Memory.MAP_SHARED, descriptor, 0);
    if (address < 0) {
      throw new IOException("shared memory cannot be mapped: " + Errno.text((int) -address));
    }
    return new SharedMemory(descriptor, offer, address);
  }

  /** What the other process is told of it. */
  public RegionOffer offer() {
    return offer;
  }

  /** Its descriptor. */
  public int descriptor() {
    return descriptor;
  }

  /** Where it is mapped here. */
  public long address() {
    return address;
  }

  @Override
  public void close() {
    Memory.munmap(address, offer.bytes());
    Posix.close(descriptor);
  }
}
