// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Stream sockets; results as in {@link Posix}. Every descriptor made here is closed by exec. */
public final class Sockets {
  /** Family: Unix. */
  public static final int AF_UNIX = 1;

  /** Family: IPv4. */
  public static final int AF_INET = 2;

  /** Family: IPv6. */
  public static final int AF_INET6 = 10;

  /** Family: virtual machines and their hosts. */
  public static final int AF_VSOCK = 40;

  /** Level of options: the socket. */
  public static final int SOL_SOCKET = 1;

  /** Level of options: TCP. */
  public static final int IPPROTO_TCP = 6;

  /** Socket option: the address of a listener that has just gone may be taken. */
  public static final int SO_REUSEADDR = 2;

  /** Socket option: the pending error of a connection being made. */
  public static final int SO_ERROR = 4;

  /** TCP option: small segments are sent at once. */
  public static final int TCP_NODELAY = 1;

  /** Shutdown: no more writing. */
  public static final int SHUT_WR = 1;

  /** Shutdown: neither. */
  public static final int SHUT_RDWR = 2;

  private static final int SOCK_STREAM = 1;
  private static final int SOCK_DGRAM = 2;
  private static final int SOCK_CLOEXEC = 0x80000;
  private static final int SO_PEERCRED = 17;
  private static final int SO_RCVTIMEO = 20;
  private static final int SO_SNDTIMEO = 21;
  private static final int SO_PEERPIDFD = 77;
  private static final int TIMEVAL = 16;
  private static final int UCRED = 12;
  private static final int UCRED_UID = 4;
  private static final int SOCKADDR_STORAGE = 128;
  private static final int MSG_PEEK = 2;
  private static final int MSG_DONTWAIT = 0x40;
  private static final int MSG_NOSIGNAL = 0x4000;

  private static final MethodHandle SOCKET = Libc.bind("socket", 3);
  private static final MethodHandle SOCKETPAIR = Libc.bind("socketpair", 4);
  private static final MethodHandle BIND = Libc.bind("bind", 3);
  private static final MethodHandle LISTEN = Libc.bind("listen", 2);
  private static final MethodHandle ACCEPT4 = Libc.bind("accept4", 4);
  private static final MethodHandle CONNECT = Libc.bind("connect", 3);
  private static final MethodHandle SHUTDOWN = Libc.bind("shutdown", 2);
  private static final MethodHandle SETSOCKOPT = Libc.bind("setsockopt", 5);
  private static final MethodHandle GETSOCKOPT = Libc.bind("getsockopt", 5);
  private static final MethodHandle GETSOCKNAME = Libc.bind("getsockname", 3);
  private static final MethodHandle GETPEERNAME = Libc.bind("getpeername", 3);
  private static final MethodHandle SEND = Libc.bind("send", 4);
  private static final MethodHandle RECV = Libc.bind("recv", 4);

  /** Takes the byte that is looked at; its value does not matter. */
  private static final long LOOK = Arena.global().allocate(Long.BYTES).address();

  private Sockets() {}

  /** Makes a stream socket of a family. */
  public static int socket(int family) {
    return socket(family, SOCK_STREAM);
  }

  /** Makes a Unix socket for messages. */
  static int datagramSocket() {
    return socket(AF_UNIX, SOCK_DGRAM);
  }

  private static int socket(int family, int kind) {
    try {
      MemorySegment errno = Errno.capture();
      int type = kind | SOCK_CLOEXEC;
      return Errno.intResult(
          (long) SOCKET.invokeExact(errno, (long) family, (long) type, 0L), errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** Makes two Unix stream sockets that are connected to each other. */
  public static int socketpair(int[] fds) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = Errno.capture();
      MemorySegment pair = arena.allocate(JAVA_INT, 2);
      int type = SOCK_STREAM | SOCK_CLOEXEC;
      long made =
          (long) SOCKETPAIR.invokeExact(errno, (long) AF_UNIX, (long) type, 0L, pair.address());
      MemorySegment.copy(pair, JAVA_INT, 0, fds, 0, 2);
      return Errno.intResult(made, errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** Gives a socket its address (see {@link SocketAddress}). */
  public static int bind(int fd, MemorySegment address) {
    try {
      MemorySegment errno = Errno.capture();
      int bytes = (int) address.byteSize();
      return Errno.intResult(
          (long) BIND.invokeExact(errno, (long) fd, address.address(), (long) bytes), errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** Lets others connect. */
  public static int listen(int fd, int backlog) {
    try {
      MemorySegment errno = Errno.capture();
      return Errno.intResult((long) LISTEN.invokeExact(errno, (long) fd, (long) backlog), errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** Waits for a connection and returns its descriptor. */
  public static int accept(int fd) {
    try {
      MemorySegment errno = Errno.capture();
      return Errno.intResult(
          (long) ACCEPT4.invokeExact(errno, (long) fd, 0L, 0L, (long) SOCK_CLOEXEC), errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** Connects to an address (see {@link SocketAddress}). */
  public static int connect(int fd, MemorySegment address) {
    try {
      MemorySegment errno = Errno.capture();
      int bytes = (int) address.byteSize();
      return Errno.intResult(
          (long) CONNECT.invokeExact(errno, (long) fd, address.address(), (long) bytes), errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** Sends what there is room for and never waits. */
  public static int send(int fd, long address, int bytes) {
    try {
      MemorySegment errno = Errno.capture();
      int flags = MSG_DONTWAIT | MSG_NOSIGNAL;
      return (int)
          Errno.result(
              (long) SEND.invokeExact(errno, (long) fd, address, (long) bytes, (long) flags),
              errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** Receives what is there and never waits; 0 at the end. */
  public static int receive(int fd, long address, int bytes) {
    try {
      MemorySegment errno = Errno.capture();
      long got =
          (long) RECV.invokeExact(errno, (long) fd, address, (long) bytes, (long) MSG_DONTWAIT);
      return (int) Errno.result(got, errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** Whether there is something to receive, the end or an error among it. */
  public static boolean ready(int fd) {
    try {
      MemorySegment errno = Errno.capture();
      long got =
          (long) RECV.invokeExact(errno, (long) fd, LOOK, 1L, (long) (MSG_PEEK | MSG_DONTWAIT));
      return Errno.result(got, errno) != -Errno.EAGAIN;
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** Ends one or both directions; threads and processes that wait at the socket see it. */
  public static int shutdown(int fd, int how) {
    try {
      MemorySegment errno = Errno.capture();
      return Errno.intResult((long) SHUTDOWN.invokeExact(errno, (long) fd, (long) how), errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** Sets an option whose value is an int. */
  public static int setOption(int fd, int level, int option, int value) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = Errno.capture();
      MemorySegment place = arena.allocateFrom(JAVA_INT, value);
      long set =
          (long)
              SETSOCKOPT.invokeExact(
                  errno,
                  (long) fd,
                  (long) level,
                  (long) option,
                  place.address(),
                  (long) Integer.BYTES);
      return Errno.intResult(set, errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** Limits how long connecting, and writing that waits, may take; 0 milliseconds for no limit. */
  public static int setTimeout(int fd, int milliseconds) {
    return setTime(fd, SO_SNDTIMEO, milliseconds);
  }

  /** Limits how long reading, or accepting, may wait; 0 milliseconds for no limit. */
  public static int setReadTimeout(int fd, int milliseconds) {
    return setTime(fd, SO_RCVTIMEO, milliseconds);
  }

  private static int setTime(int fd, int option, int milliseconds) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = Errno.capture();
      MemorySegment time = arena.allocate(TIMEVAL, Long.BYTES);
      time.set(JAVA_LONG, 0, milliseconds / 1000);
      time.set(JAVA_LONG, Long.BYTES, milliseconds % 1000 * 1000L);
      long set =
          (long)
              SETSOCKOPT.invokeExact(
                  errno,
                  (long) fd,
                  (long) SOL_SOCKET,
                  (long) option,
                  time.address(),
                  (long) TIMEVAL);
      return Errno.intResult(set, errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /** Returns an option whose value is an int. */
  public static int option(int fd, int level, int option) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(JAVA_INT);
      int got = getOption(fd, level, option, value, arena);
      return got < 0 ? got : value.get(JAVA_INT, 0);
    }
  }

  /** Returns the user who runs the peer of a Unix socket, as it was when it connected. */
  public static int peerUser(int fd) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment credentials = arena.allocate(UCRED, 4);
      int got = getOption(fd, SOL_SOCKET, SO_PEERCRED, credentials, arena);
      return got < 0 ? got : credentials.get(JAVA_INT, UCRED_UID);
    }
  }

  /** Returns the process that runs the peer of a Unix socket, as it was when it connected. */
  public static int peerProcess(int fd) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment credentials = arena.allocate(UCRED, 4);
      int got = getOption(fd, SOL_SOCKET, SO_PEERCRED, credentials, arena);
      return got < 0 ? got : credentials.get(JAVA_INT, 0);
    }
  }

  /**
   * Returns a new descriptor of the process that runs the peer of a Unix socket, which can be read
   * when that process has ended; negative before Linux 6.5.
   */
  public static int peerHandle(int fd) {
    return option(fd, SOL_SOCKET, SO_PEERPIDFD);
  }

  /** Returns the port that a TCP or vsock socket is bound to. */
  public static int port(int fd) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = Errno.capture();
      MemorySegment address = arena.allocate(SOCKADDR_STORAGE, 8);
      MemorySegment size = arena.allocateFrom(JAVA_INT, SOCKADDR_STORAGE);
      long named =
          (long) GETSOCKNAME.invokeExact(errno, (long) fd, address.address(), size.address());
      return (int) named == -1 ? Errno.intResult(named, errno) : SocketAddress.port(address);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  /**
   * Returns the address of a TCP or vsock socket's peer, of IPv6 the network of 64 bits, as a host
   * has all of one; {@code unknown} where the peer has gone.
   */
  public static String peerAddress(int fd) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = Errno.capture();
      MemorySegment address = arena.allocate(SOCKADDR_STORAGE, 8);
      MemorySegment size = arena.allocateFrom(JAVA_INT, SOCKADDR_STORAGE);
      long named =
          (long) GETPEERNAME.invokeExact(errno, (long) fd, address.address(), size.address());
      return (int) named == -1 ? "unknown" : SocketAddress.network(address);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }

  private static int getOption(int fd, int level, int option, MemorySegment value, Arena arena) {
    try {
      MemorySegment errno = Errno.capture();
      MemorySegment size = arena.allocateFrom(JAVA_INT, (int) value.byteSize());
      long got =
          (long)
              GETSOCKOPT.invokeExact(
                  errno, (long) fd, (long) level, (long) option, value.address(), size.address());
      return Errno.intResult(got, errno);
    } catch (Throwable t) {
      throw Libc.broken(t);
    }
  }
}
