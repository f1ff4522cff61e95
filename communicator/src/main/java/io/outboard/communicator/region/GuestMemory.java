// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.region;

import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.wire.RegionOffer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Memory that this machine shares with one guest of it (ivshmem), as a file. Each session gets a
 * part of its own. A lock of the kernel's on that part says that it is taken, so that it is free
 * again as soon as the last process that has it ends, however that ends, and whichever daemon began
 * it.
 *
 * @param file where the hypervisor has it
 * @param fixed whether the guest is never moved to another hypervisor; else its memory is copied
 *     without what this machine writes at that time, and only rings outlive that
 */
public record GuestMemory(Path file, boolean fixed) {
  /** Most parts, however long the file is. */
  public static final int MOST_PARTS = 256;

  /**
   * A part that is taken until its descriptor is closed, and all copies of that.
   *
   * @param descriptor of the whole memory
   * @param offset where the part begins in it
   * @param fixed as {@link GuestMemory#fixed}
   */
  public record Part(int descriptor, long offset, boolean fixed) implements AutoCloseable {
    @Override
    public void close() {
      Posix.close(descriptor);
    }
  }

  /**
   * Takes a part for such a region; none where all are taken. The parts of one memory have one
   * length.
   *
   * @throws IOException if the memory is not there, or cannot be used; the message says why
   */
  public Optional<Part> take(RegionOffer region) throws IOException {
    long bytes = region.placed(0, 1).bytes();
    int flags = Posix.O_RDWR | Posix.O_CLOEXEC | Posix.O_NOFOLLOW;
    String what = "memory of a guest, " + file;
    int descriptor = Errno.check(Posix.open(file.toString(), flags, 0), what);
    long parts = Math.min(Posix.length(descriptor) / bytes, MOST_PARTS);
    for (long i = 0; i < parts; i++) {
      int locked = Posix.lock(descriptor, i * bytes, bytes);
      if (locked == 0) {
        return Optional.of(new Part(descriptor, i * bytes, fixed));
      }
      if (locked != -Errno.EAGAIN) {
        Posix.close(descriptor);
        Errno.check(locked, what);
      }
    }
    Posix.close(descriptor);
    return Optional.empty();
  }
}
