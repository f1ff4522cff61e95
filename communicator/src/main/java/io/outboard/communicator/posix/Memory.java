// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Memory files and mappings; results as in {@link Posix}. */
public final class Memory {
  /** Protection: no access. */
  public static final int PROT_NONE = 0;

  /** Protection: readable. */
  public static final int PROT_READ = 1;

  /** Protection: writable. */
  public static final int PROT_WRITE = 2;

  /** Mapping: seen by others. */
  public static final int MAP_SHARED = 1;

  /** Mapping: our own. */
  public static final int MAP_PRIVATE = 2;

  /** Mapping: without a file. */
  public static final int MAP_ANONYMOUS = 0x20;

  /** Mapping: nothing is set aside for it. */
  public static final int MAP_NORESERVE = 0x4000;

  /** Mapping: its pages are there from the start. */
  public static final int MAP_POPULATE = 0x8000;

  /** Mapping: at exactly that address, or not at all where something is there (EEXIST). */
  public static final int MAP_FIXED_NOREPLACE = 0x100000;

  /** memfd: closed by exec. */
  public static final int MFD_CLOEXEC = 1;

  /** memfd: may be sealed. */
  public static final int MFD_ALLOW_SEALING = 2;

  /** Seal: no more seals. */
  public static final int F_SEAL_SEAL = 1;

  /** Seal: never shorter. */
  public static final int F_SEAL_SHRINK = 2;

  /** Seal: never longer. */
  public static final int F_SEAL_GROW = 4;

  private static final MethodHandle MEMFD_CREATE = Libc.bind("memfd_create", 2);
  private static final MethodHandle FTRUNCATE = Libc.bind("ftruncate", 2);
  private static final int PUNCH_HOLE_KEEP_SIZE = 3;
  private static final MethodHandle FALLOCATE = Libc.bind("fallocate", 4);
  private static final MethodHandle MMAP = Libc.bind("mmap", 6);
  private static final MethodHandle MUNMAP = Libc.bind("munmap", 2);

  private Memory() {}

  /** Creates a file that lives in memory and has no name in the file system. */
  public static int memfdCreate(String name, int flags) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = Errno.capture();
      MemorySegment text = arena.allocateFrom(name);
      return Errno.intResult(
          (long) MEMFD_CREATE.invokeExact(errno, text.address(), (long) flags), errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** Gives back the memory of a part of a file; the file keeps its length. */
  public static int discard(int fd, long offset, long bytes) {
    return fallocate(fd, PUNCH_HOLE_KEEP_SIZE, offset, bytes);
  }

  /**
   * Has the memory of a part of a file there, which keeps its bytes: that there is too little is an
   * error here, and not a signal later.
   */
  public static int provide(int fd, long offset, long bytes) {
    return fallocate(fd, 0, offset, bytes);
  }

  private static int fallocate(int fd, int mode, long offset, long bytes) {
    try {
      MemorySegment errno = Errno.capture();
      long made = (long) FALLOCATE.invokeExact(errno, (long) fd, (long) mode, offset, bytes);
      return Errno.intResult(made, errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** Sets a file's length. */
  public static int ftruncate(int fd, long bytes) {
    try {
      MemorySegment errno = Errno.capture();
      return Errno.intResult((long) FTRUNCATE.invokeExact(errno, (long) fd, bytes), errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /**
   * Maps memory.
   *
   * @param hint the wished address, 0 for any
   * @param fd the file, −1 with {@link #MAP_ANONYMOUS}
   * @return the address
   */
  public static long mmap(long hint, long bytes, int protection, int flags, int fd, long offset) {
    try {
      MemorySegment errno = Errno.capture();
      long address =
          (long)
              MMAP.invokeExact(
                  errno, hint, bytes, (long) protection, (long) flags, (long) fd, offset);
      return Errno.result(address, errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /**
   * Maps memory at an address, where nothing is yet.
   *
   * @return false where that cannot be: nothing has been mapped then
   */
  public static boolean mapAt(
      long address, long bytes, int protection, int flags, int fd, long offset) {
    long mapped = mmap(address, bytes, protection, flags | MAP_FIXED_NOREPLACE, fd, offset);
    // A kernel older than 4.17 takes the wish for a hint.
    if (mapped >= 0 && mapped != address) {
      int unused = munmap(mapped, bytes);
    }
    return mapped == address;
  }

  /** Unmaps memory. */
  public static int munmap(long address, long bytes) {
    try {
      MemorySegment errno = Errno.capture();
      return Errno.intResult((long) MUNMAP.invokeExact(errno, address, bytes), errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }
}
