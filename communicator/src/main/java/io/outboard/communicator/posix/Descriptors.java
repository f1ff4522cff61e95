// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.outboard.wire.Frame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/**
 * Passes descriptors between processes over a Unix socket (unix(7), SCM_RIGHTS); results as in
 * {@link Posix}.
 */
public final class Descriptors {
  /** Most descriptors in one message; the kernel's limit is 253. */
  public static final int MOST = 16;

  private static final int MSG_DONTWAIT = 0x40;
  private static final int MSG_NOSIGNAL = 0x4000;
  private static final int MSG_CMSG_CLOEXEC = 0x40000000;
  private static final int SCM_RIGHTS = 1;

  // struct msghdr, struct iovec and struct cmsghdr of 64-bit Linux.
  private static final int MSGHDR = 56;
  private static final int MSG_IOV = 16;
  private static final int MSG_IOVLEN = 24;
  private static final int MSG_CONTROL = 32;
  private static final int MSG_CONTROLLEN = 40;
  private static final int CMSG_LEVEL = 8;
  private static final int CMSG_TYPE = 12;
  private static final int CMSG_DATA = 16;

  private static final MethodHandle SENDMSG = Libc.bind("sendmsg", 3);
  private static final MethodHandle RECVMSG = Libc.bind("recvmsg", 3);

  private Descriptors() {}

  /**
   * Sends descriptors along with bytes.
   *
   * @param fds at most {@link #MOST}; they stay open here
   * @param bytes at least 1: descriptors do not travel alone
   * @return bytes sent; the descriptors went with the first of them
   */
  public static int send(int socket, int[] fds, long address, int bytes) {
    return send(socket, fds, address, bytes, MSG_NOSIGNAL);
  }

  /**
   * As {@link #send}, and never waits: for a socket of a peer's own, whose limits are the peer's.
   */
  public static int offer(int socket, int[] fds, long address, int bytes) {
    return send(socket, fds, address, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
  }

  private static int send(int socket, int[] fds, long address, int bytes, int flags) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = Errno.capture();
      MemorySegment control = control(arena, fds.length);
      MemorySegment.copy(fds, 0, control, JAVA_INT, CMSG_DATA, fds.length);
      MemorySegment message = message(arena, control, address, bytes);
      return (int)
          Errno.result(
              (long) SENDMSG.invokeExact(errno, (long) socket, message.address(), (long) flags),
              errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /**
   * Receives bytes and the descriptors that come with them, which an exec closes.
   *
   * @param fds filled with the descriptors that came, then −1; descriptors without room are closed
   * @return bytes received, 0 at the end
   */
  public static int receive(int socket, int[] fds, long address, int bytes) {
    Arrays.fill(fds, -1);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = Errno.capture();
      MemorySegment control = control(arena, fds.length);
      MemorySegment message = message(arena, control, address, bytes);
      long got =
          (long)
              RECVMSG.invokeExact(errno, (long) socket, message.address(), (long) MSG_CMSG_CLOEXEC);
      if (got >= 0) {
        take(control, message.get(JAVA_LONG, MSG_CONTROLLEN), fds);
      }
      return (int) Errno.result(got, errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  private static MemorySegment control(Arena arena, int count) {
    if (count < 1 || count > MOST) {
      throw new IllegalArgumentException("1 to " + MOST + " descriptors in a message: " + count);
    }
    long bytes = CMSG_DATA + (long) Integer.BYTES * count;
    MemorySegment control = arena.allocate(Frame.align(bytes), 8);
    control.set(JAVA_LONG, 0, bytes);
    control.set(JAVA_INT, CMSG_LEVEL, Sockets.SOL_SOCKET);
    control.set(JAVA_INT, CMSG_TYPE, SCM_RIGHTS);
    return control;
  }

  private static MemorySegment message(
      Arena arena, MemorySegment control, long address, int bytes) {
    MemorySegment part = arena.allocate(Posix.IOVEC, 8);
    part.set(JAVA_LONG, 0, address);
    part.set(JAVA_LONG, 8, bytes);
    MemorySegment message = arena.allocate(MSGHDR, 8);
    message.set(ADDRESS, MSG_IOV, part);
    message.set(JAVA_LONG, MSG_IOVLEN, 1);
    message.set(ADDRESS, MSG_CONTROL, control);
    message.set(JAVA_LONG, MSG_CONTROLLEN, control.byteSize());
    return message;
  }

  private static void take(MemorySegment control, long received, int[] fds) {
    if (received < CMSG_DATA
        || control.get(JAVA_INT, CMSG_LEVEL) != Sockets.SOL_SOCKET
        || control.get(JAVA_INT, CMSG_TYPE) != SCM_RIGHTS) {
      return;
    }
    int count = (int) (control.get(JAVA_LONG, 0) - CMSG_DATA) / Integer.BYTES;
    // Padding can hold one descriptor more than was asked for.
    for (int i = 0; i < count; i++) {
      int fd = control.get(JAVA_INT, CMSG_DATA + (long) Integer.BYTES * i);
      if (i < fds.length) {
        fds[i] = fd;
      } else {
        Posix.close(fd);
      }
    }
  }
}
