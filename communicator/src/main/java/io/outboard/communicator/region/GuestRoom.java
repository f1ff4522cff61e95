// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.region;

import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Memory;
import io.outboard.communicator.posix.Posix;
import io.outboard.wire.Region;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Room for page-locked memory of a session, in the later half of memory that this machine shares
 * with a guest; the other half is for parts alone. Locks of the kernel's keep the ranges of
 * sessions and parts apart, as for {@link GuestMemory.Part}.
 */
public final class GuestRoom implements AutoCloseable {
  /** The offset of no range. */
  public static final long NONE = -1;

  private final TreeMap<Long, Long> ends = new TreeMap<>();
  private int descriptor;

  private GuestRoom(int descriptor) {
    this.descriptor = descriptor;
  }

  /** The room for the session that has a part. */
  public static GuestRoom beside(GuestMemory.Part part) throws IOException {
    int copy = Posix.fcntl(part.descriptor(), Posix.F_DUPFD_CLOEXEC, 0);
    return new GuestRoom(Errno.check(copy, "memory of a guest"));
  }

  /** A descriptor of the whole memory; negative once this is closed. */
  public synchronized int descriptor() {
    return descriptor;
  }

  /**
   * Takes a range, whose bytes stay as they are.
   *
   * @param bytes a multiple of the size of a page
   * @return its offset in the memory; {@link #NONE} where there is no room
   */
  public synchronized long take(long bytes) {
    boolean possible = descriptor >= 0 && bytes > 0 && bytes % Region.PAGE == 0;
    long length = possible ? Posix.length(descriptor) : 0;
    long at = pages(length / 2);
    while (bytes <= length - at && possible) {
      long next = pastOwn(at, bytes);
      if (next == at) {
        int locked = Posix.lock(descriptor, at, bytes);
        if (locked == 0) {
          return provided(at, bytes);
        }
        possible = locked == -Errno.EAGAIN;
        next = pages(Math.min(Posix.lockedUntil(descriptor, at, bytes), length));
      }
      at = next;
    }
    return NONE;
  }

  private static long pages(long bytes) {
    return (bytes + Region.PAGE - 1) & -Region.PAGE;
  }

  /** Locks do not keep ranges of one session apart. */
  private long pastOwn(long at, long bytes) {
    Map.Entry<Long, Long> last = ends.lowerEntry(at + bytes);
    return last != null && last.getValue() > at ? last.getValue() : at;
  }

  private long provided(long at, long bytes) {
    if (Memory.provide(descriptor, at, bytes) == 0) {
      ends.put(at, at + bytes);
      return at;
    }
    int unused = Posix.unlock(descriptor, at, bytes);
    return NONE;
  }

  /** Gives a range back that nothing of this process uses any more. */
  public synchronized void give(long offset) {
    Long end = ends.remove(offset);
    if (end != null && descriptor >= 0) {
      int unused = Posix.unlock(descriptor, offset, end - offset);
    }
  }

  /** From here on there is no room. */
  @Override
  public synchronized void close() {
    if (descriptor >= 0) {
      Posix.close(descriptor);
      descriptor = -1;
    }
  }
}
