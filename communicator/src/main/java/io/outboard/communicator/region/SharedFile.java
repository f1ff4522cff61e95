// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.region;

import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Memory;
import io.outboard.communicator.posix.Posix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Memory that processes share: a file without a name, mapped by each of them. One makes it and
 * passes its descriptor on.
 */
public final class SharedFile implements AutoCloseable {
  private static final int SEALS = Memory.F_SEAL_SHRINK | Memory.F_SEAL_GROW | Memory.F_SEAL_SEAL;

  private final int descriptor;
  private final long address;
  private final long bytes;

  private SharedFile(int descriptor, long address, long bytes) {
    this.descriptor = descriptor;
    this.address = address;
    this.bytes = bytes;
  }

  /**
   * Makes and maps one of so many bytes, all zero. It never changes its length, so that nobody who
   * gets it can take memory away that others have mapped: no access to it can be a signal.
   *
   * @param name for those who look at the process's mappings
   */
  public static SharedFile create(String name, long bytes) throws IOException {
    int flags = Memory.MFD_CLOEXEC | Memory.MFD_ALLOW_SEALING;
    int descriptor = Errno.check(Memory.memfdCreate(name, flags), "memfd_create");
    try {
      Errno.check(Memory.ftruncate(descriptor, bytes), "ftruncate");
      Errno.check(Posix.fcntl(descriptor, Posix.F_ADD_SEALS, SEALS), "sealing shared memory");
      return map(descriptor, bytes);
    } catch (IOException e) {
      Posix.close(descriptor);
      throw e;
    }
  }

  /** Maps the first bytes of one that another process made; takes over the descriptor. */
  public static SharedFile map(int descriptor, long bytes) throws IOException {
    return map(descriptor, 0, bytes);
  }

  /** Maps a part of one that others have too; takes over the descriptor. */
  public static SharedFile map(int descriptor, long offset, long bytes) throws IOException {
    int access = Memory.PROT_READ | Memory.PROT_WRITE;
    long address = Memory.mmap(0, bytes, access, Memory.MAP_SHARED, descriptor, offset);
    if (address < 0) {
      throw new IOException("shared memory cannot be mapped: " + Errno.text((int) -address));
    }
    return new SharedFile(descriptor, address, bytes);
  }

  /**
   * Maps one that a peer gives back that need not be honest: it must be as long as it was made, and
   * stay so. Takes over the descriptor where it succeeds.
   */
  public static SharedFile takeBack(int descriptor, long bytes) throws IOException {
    int seals = Errno.check(Posix.fcntl(descriptor, Posix.F_GET_SEALS, 0), "shared memory's seals");
    if ((seals & SEALS) != SEALS || Posix.length(descriptor) != bytes) {
      throw new IOException("shared memory is not as it was made");
    }
    return map(descriptor, bytes);
  }

  /** By which the kernel tells a descriptor's file from all others that are open. */
  public static String identity(int descriptor) throws IOException {
    Path file = Path.of("/proc/self/fd/" + descriptor);
    return Files.getAttribute(file, "unix:dev") + ":" + Files.getAttribute(file, "unix:ino");
  }

  /** A part of it, which ends with it: nobody closes the part. */
  SharedFile part(long offset, long length) {
    return new SharedFile(descriptor, address + offset, length);
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
    Memory.munmap(address, bytes);
    Posix.close(descriptor);
  }
}
