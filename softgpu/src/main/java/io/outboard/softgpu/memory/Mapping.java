// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/**
 * Memory straight from the kernel: pages come into being, zeroed, when they are first touched, so
 * that a large mapping costs nothing before ({@code mmap(2)}, {@code MAP_NORESERVE}).
 */
public final class Mapping {
  /** Size of a page in bytes; whole pages are mapped and given back. */
  public static final int PAGE = 4096;

  private static final long PROT_READ_WRITE = 3;

  /** MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE on Linux. */
  private static final int ANONYMOUS = 0x02 | 0x20 | 0x4000;

  /** MAP_SHARED | MAP_NORESERVE. */
  private static final int SHARED = 0x01 | 0x4000;

  private static final int FIXED = 0x10;

  /** MADV_REMOVE: of a shared mapping, the pages of the file. */
  private static final long REMOVE = 9;

  private static final long CLOSE_ON_EXEC = 1;

  private static final long F_DUPFD_CLOEXEC = 1030;

  private static final int SEEK_END = 2;

  private static final int SEEK_DATA = 3;

  private static final int SEEK_HOLE = 4;

  /** MREMAP_MAYMOVE | MREMAP_FIXED. */
  private static final long MOVE_THERE = 3;

  // All are words: functions with as many share a shape, each of which takes a start some time.
  private static final MethodHandle MMAP = bind("mmap", 6);
  private static final MethodHandle MUNMAP = bind("munmap", 2);
  private static final MethodHandle MREMAP = bind("mremap", 5);
  private static final MethodHandle MADVISE = bind("madvise", 3);
  private static final MethodHandle MEMFD_CREATE = bind("memfd_create", 2);
  private static final MethodHandle FTRUNCATE = bind("ftruncate", 2);
  private static final MethodHandle LSEEK = bind("lseek", 3);
  private static final MethodHandle FCNTL = bind("fcntl", 3, Linker.Option.firstVariadicArg(2));
  private static final MethodHandle CLOSE = bind("close", 1);

  private Mapping() {}

  private static MethodHandle bind(String name, int words, Linker.Option... options) {
    MemoryLayout[] arguments = new MemoryLayout[words];
    Arrays.fill(arguments, JAVA_LONG);
    return Linker.nativeLinker()
        .downcallHandle(
            Linker.nativeLinker().defaultLookup().findOrThrow(name),
            FunctionDescriptor.of(JAVA_LONG, arguments),
            options);
  }

  private static long map(long address, long bytes, int flags, int file, long offset) {
    long mapped;
    try {
      mapped =
          (long)
              MMAP.invokeExact(address, bytes, PROT_READ_WRITE, (long) flags, (long) file, offset);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
    if (mapped == -1) {
      throw new OutOfMemoryError("cannot map " + bytes + " bytes of device memory");
    }
    return mapped;
  }

  /** Maps {@code bytes} bytes for the life of the process. */
  public static MemorySegment map(long bytes) {
    return MemorySegment.ofAddress(map(0, bytes, ANONYMOUS, -1, 0)).reinterpret(bytes);
  }

  /** Maps a part of a file in place of what is at an address; all are multiples of a page. */
  public static void replace(long address, long bytes, int file, long offset) {
    map(address, bytes, SHARED | FIXED, file, offset);
  }

  /** Maps the beginning of a file wherever there is room; the address. */
  public static long shared(long bytes, int file) {
    return shared(bytes, file, 0);
  }

  /** Maps a part of a file, from a page on, wherever there is room; the address. */
  public static long shared(long bytes, int file, long offset) {
    return map(0, bytes, SHARED, file, offset);
  }

  /** Takes a mapping away. */
  public static void unmap(long address, long bytes) {
    try {
      long unused = (long) MUNMAP.invokeExact(address, bytes);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  /**
   * Maps what is mapped elsewhere a second time, in place of what is at an address: of a shared
   * mapping, an old size of 0 stands for that ({@code mremap(2)}).
   */
  public static void repeat(long address, long bytes, long from) {
    long mapped;
    try {
      mapped = (long) MREMAP.invokeExact(from, 0L, bytes, MOVE_THERE, address);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
    if (mapped != address) {
      throw new OutOfMemoryError("cannot map " + bytes + " bytes of managed memory");
    }
  }

  /** Maps zeros in place of what is at an address. */
  public static void clear(long address, long bytes) {
    map(address, bytes, ANONYMOUS | FIXED, -1, 0);
  }

  /** Gives pages of a mapped file back; they hold zeros when they are touched again. */
  static void discard(long address, long bytes) {
    try {
      if ((int) (long) MADVISE.invokeExact(address, bytes, REMOVE) != 0) {
        throw new IllegalStateException("madvise failed");
      }
    } catch (RuntimeException failed) {
      throw failed;
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** A file in memory of {@code bytes} zeros; a descriptor. */
  public static int file(long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      long name = arena.allocateFrom("outboard-device-memory").address();
      int file = (int) (long) MEMFD_CREATE.invokeExact(name, CLOSE_ON_EXEC);
      if (file < 0 || (int) (long) FTRUNCATE.invokeExact((long) file, bytes) != 0) {
        throw new OutOfMemoryError("cannot make " + bytes + " bytes of memory");
      }
      return file;
    } catch (OutOfMemoryError failed) {
      throw failed;
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** The length of a file; −1 for what has none. */
  static long length(int file) {
    return seek(file, 0, SEEK_END);
  }

  /** Where the next page with content of a memory file begins; −1 where there is none. */
  static long data(int file, long from) {
    return seek(file, from, SEEK_DATA);
  }

  /** Where the content that a place of a memory file is in ends. */
  static long hole(int file, long from) {
    return seek(file, from, SEEK_HOLE);
  }

  private static long seek(int file, long from, int what) {
    try {
      return (long) LSEEK.invokeExact((long) file, from, (long) what);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Another descriptor of a file. */
  public static int duplicate(int file) {
    int made;
    try {
      made = (int) (long) FCNTL.invokeExact((long) file, F_DUPFD_CLOEXEC, 0L);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
    if (made < 0) {
      throw new OutOfMemoryError("no descriptors are left");
    }
    return made;
  }

  /** Closes a descriptor; mappings of it stay. */
  public static void close(int file) {
    try {
      long unused = (long) CLOSE.invokeExact((long) file);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }
}
