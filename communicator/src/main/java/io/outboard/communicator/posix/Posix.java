// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Input and output on descriptors and files, section 2 of the Linux manual. Descriptors are ints,
 * addresses longs; the result is the function's value, or the negated error number (see {@link
 * Errno}). Nothing is allocated by those that take no string, once the optimising compiler has
 * compiled their caller (before that, 40 bytes a call).
 */
public final class Posix {
  /** Poll: there are bytes, or the end. */
  public static final short POLLIN = 1;

  /** Poll: there is room. */
  public static final short POLLOUT = 4;

  /** Poll, in results only: the peer has gone. */
  public static final short POLLHUP = 0x10;

  /** Poll: the peer writes no more. */
  public static final short POLLRDHUP = 0x2000;

  /** Bytes of a {@code struct pollfd}: int descriptor, short events, short results. */
  public static final int POLLFD = 8;

  /** Bytes of a {@code struct iovec}: long address, long bytes. */
  public static final int IOVEC = 16;

  /** Most parts of one {@link #writev}. */
  public static final int IOV_MAX = 1024;

  /** fcntl: descriptor flags. */
  public static final int F_GETFD = 1;

  /** fcntl: sets descriptor flags. */
  public static final int F_SETFD = 2;

  /** fcntl: status flags. */
  public static final int F_GETFL = 3;

  /** fcntl: sets status flags. */
  public static final int F_SETFL = 4;

  /** Command of {@link #fcntl}: another descriptor, of at least the argument, that exec closes. */
  public static final int F_DUPFD_CLOEXEC = 1030;

  /** fcntl: adds seals to a memfd. */
  public static final int F_ADD_SEALS = 1033;

  /** fcntl: the seals of a memfd. */
  public static final int F_GET_SEALS = 1034;

  /** Descriptor flag: closed by exec. */
  public static final int FD_CLOEXEC = 1;

  /** Opens for writing; without it, for reading. */
  public static final int O_WRONLY = 1;

  /** Opens for both. */
  public static final int O_RDWR = 2;

  /** Opens a file that is made. */
  public static final int O_CREAT = 0100;

  /** With {@link #O_CREAT}: an error if there is one of that name. */
  public static final int O_EXCL = 0200;

  /** File status flag: writes go to the end. */
  public static final int O_APPEND = 02000;

  /** Status flag: calls do not wait. */
  public static final int O_NONBLOCK = 0x800;

  /** Opens a descriptor that exec closes. */
  public static final int O_CLOEXEC = 02000000;

  // They differ between architectures: asm/fcntl.h of Linux.
  private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");

  /** Opens no symbolic link. */
  public static final int O_NOFOLLOW = ARM ? 0100000 : 0400000;

  private static final int SEEK_END = 2;
  private static final int F_OFD_GETLK = 36;
  private static final int F_OFD_SETLK = 37;
  private static final short F_WRLCK = 1;
  private static final short F_UNLCK = 2;

  private static final int LOCK_EX = 2;
  private static final int LOCK_NB = 4;

  /**
   * Bytes of a {@code struct flock}: short type, short whence, then long begin and bytes, and an
   * int.
   */
  private static final int FLOCK = 32;

  private static final int FLOCK_START = 8;

  private static final MethodHandle READ = Libc.bind("read", 3);
  private static final MethodHandle WRITE = Libc.bind("write", 3);
  private static final MethodHandle WRITEV = Libc.bind("writev", 3);
  private static final MethodHandle POLL = Libc.bind("poll", 3);
  private static final MethodHandle OPEN = Libc.bindVariadic("open", 3);
  private static final MethodHandle CLOSE = Libc.bind("close", 1);
  private static final MethodHandle FCNTL = Libc.bindVariadic("fcntl", 3);
  private static final MethodHandle LSEEK = Libc.bind("lseek", 3);
  private static final MethodHandle DUP2 = Libc.bind("dup2", 2);
  private static final MethodHandle PREAD = Libc.bind("pread", 4);
  private static final MethodHandle FFLUSH = Libc.bind("fflush", 1);
  private static final MethodHandle FPENDING = Libc.bindTrivial("__fpending", 1);
  private static final long STDOUT = Libc.variable("stdout");
  private static final MethodHandle UNLINK = Libc.bind("unlink", 1);
  private static final MethodHandle LOCK = Libc.bind("flock", 2);
  private static final MethodHandle CHMOD = Libc.bind("chmod", 2);
  private static final MethodHandle UMASK = Libc.bindInfallible("umask", 1);
  private static final ThreadLocal<MemorySegment> POLLFDS =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(POLLFD, 8));

  private Posix() {}

  /** Reads up to {@code bytes} bytes; 0 at the end. */
  public static long read(int fd, long address, long bytes) {
    try {
      MemorySegment errno = Errno.capture();
      return Errno.result((long) READ.invokeExact(errno, (long) fd, address, bytes), errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** Writes up to {@code bytes} bytes. */
  public static long write(int fd, long address, long bytes) {
    try {
      MemorySegment errno = Errno.capture();
      return Errno.result((long) WRITE.invokeExact(errno, (long) fd, address, bytes), errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /**
   * Writes all of them, waits where it must, and goes on after signals; 0, or the negated error
   * number.
   */
  public static int writeAll(int fd, long address, long bytes) {
    for (long done = 0; done < bytes; ) {
      long n = write(fd, address + done, bytes - done);
      if (n < 0 && n != -Errno.EINTR) {
        return (int) n;
      }
      done += Math.max(n, 0);
    }
    return 0;
  }

  /**
   * Writes several parts in order.
   *
   * @param parts address of an array of {@code struct iovec}
   * @param count at most {@link #IOV_MAX}
   * @return bytes written, possibly fewer than there are
   */
  public static long writev(int fd, long parts, int count) {
    try {
      MemorySegment errno = Errno.capture();
      return Errno.result((long) WRITEV.invokeExact(errno, (long) fd, parts, (long) count), errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /**
   * Waits for events.
   *
   * @param pollfds address of an array of {@code struct pollfd}
   * @param timeout milliseconds; 0 does not wait, −1 waits for ever
   * @return the number of descriptors with events, 0 when time is up
   */
  public static int poll(long pollfds, int count, int timeout) {
    try {
      MemorySegment errno = Errno.capture();
      return Errno.intResult(
          (long) POLL.invokeExact(errno, pollfds, (long) count, (long) timeout), errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /**
   * Waits for events of one descriptor.
   *
   * @return the events that came, 0 when time is up
   */
  public static int poll(int fd, short events, int timeout) {
    MemorySegment one = POLLFDS.get();
    one.set(JAVA_INT, 0, fd);
    one.set(JAVA_SHORT, 4, events);
    int ready = poll(one.address(), 1, timeout);
    return ready <= 0 ? ready : one.get(JAVA_SHORT, 6) & 0xffff;
  }

  /**
   * Opens a file.
   *
   * @param flags {@code O_…}
   * @param mode of a file that is made
   * @return a descriptor
   */
  public static int open(String path, int flags, int mode) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = Errno.capture();
      MemorySegment name = arena.allocateFrom(path);
      return Errno.intResult(
          (long) OPEN.invokeExact(errno, name.address(), (long) flags, (long) mode), errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /**
   * Locks what a descriptor is of against all others that do so, until it is closed; EAGAIN where
   * another has it.
   */
  public static int tryLock(int fd) {
    try {
      MemorySegment errno = Errno.capture();
      return Errno.intResult(
          (long) LOCK.invokeExact(errno, (long) fd, (long) (LOCK_EX | LOCK_NB)), errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** Closes a descriptor; it is gone whatever the result. */
  public static int close(int fd) {
    try {
      MemorySegment errno = Errno.capture();
      return Errno.intResult((long) CLOSE.invokeExact(errno, (long) fd), errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** Asks or changes a descriptor, for the commands whose argument is an int. */
  public static int fcntl(int fd, int command, int argument) {
    try {
      MemorySegment errno = Errno.capture();
      return Errno.intResult(
          (long) FCNTL.invokeExact(errno, (long) fd, (long) command, (long) argument), errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /**
   * Locks a part of a file for all that was opened with this descriptor, in whatever process, until
   * the last of these is closed; does not wait.
   *
   * @param fd opened for writing
   */
  public static int lock(int fd, long offset, long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      return flock(fd, F_OFD_SETLK, part(arena, F_WRLCK, offset, bytes));
    }
  }

  /** Ends what {@link #lock} has begun, of this part alone. */
  public static int unlock(int fd, long offset, long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      return flock(fd, F_OFD_SETLK, part(arena, F_UNLCK, offset, bytes));
    }
  }

  /**
   * Where a lock of somebody else ends that hinders {@link #lock}; the offset itself where there is
   * none any more. No part of so many bytes between the two can be locked.
   */
  public static long lockedUntil(int fd, long offset, long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment part = part(arena, F_WRLCK, offset, bytes);
      if (flock(fd, F_OFD_GETLK, part) != 0 || part.get(JAVA_SHORT, 0) == F_UNLCK) {
        return offset;
      }
      long locked = part.get(JAVA_LONG, FLOCK_START + 8);
      return locked == 0 ? Long.MAX_VALUE : part.get(JAVA_LONG, FLOCK_START) + locked;
    }
  }

  private static MemorySegment part(Arena arena, short type, long offset, long bytes) {
    MemorySegment part = arena.allocate(FLOCK, 8);
    part.set(JAVA_SHORT, 0, type);
    part.set(JAVA_LONG, FLOCK_START, offset);
    part.set(JAVA_LONG, FLOCK_START + 8, bytes);
    return part;
  }

  private static int flock(int fd, int command, MemorySegment part) {
    try {
      MemorySegment errno = Errno.capture();
      long address = part.address();
      return Errno.intResult(
          (long) FCNTL.invokeExact(errno, (long) fd, (long) command, address), errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** The length of a file in bytes; its position is then at the end. */
  public static long length(int fd) {
    try {
      MemorySegment errno = Errno.capture();
      return Errno.result((long) LSEEK.invokeExact(errno, (long) fd, 0L, (long) SEEK_END), errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** Makes one descriptor name what another one does. */
  public static int dup2(int fd, int other) {
    try {
      MemorySegment errno = Errno.capture();
      return Errno.intResult((long) DUP2.invokeExact(errno, (long) fd, (long) other), errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** Reads from a place of a file, without moving its position. */
  public static long pread(int fd, long address, long bytes, long offset) {
    try {
      MemorySegment errno = Errno.capture();
      return Errno.result(
          (long) PREAD.invokeExact(errno, (long) fd, address, bytes, offset), errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** Bytes that the C library's standard output holds and has not written (stdio_ext(3)). */
  public static long pendingOutput() {
    try {
      return (long) FPENDING.invokeExact(STDOUT);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** Writes out what the C library's streams of this process hold. */
  public static int flushStreams() {
    try {
      MemorySegment errno = Errno.capture();
      return Errno.intResult((long) FFLUSH.invokeExact(errno, 0L), errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** Removes a name. */
  public static int unlink(String path) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = Errno.capture();
      return Errno.intResult(
          (long) UNLINK.invokeExact(errno, arena.allocateFrom(path).address()), errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** Sets a file's mode. */
  public static int chmod(String path, int mode) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = Errno.capture();
      return Errno.intResult(
          (long) CHMOD.invokeExact(errno, arena.allocateFrom(path).address(), (long) mode), errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** Sets the mode bits that new files of this process (all threads) lack; returns the old ones. */
  public static int umask(int bits) {
    try {
      return (int) (long) UMASK.invokeExact((long) bits);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }
}
