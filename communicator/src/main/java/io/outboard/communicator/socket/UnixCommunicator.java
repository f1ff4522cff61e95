// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.socket;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.communicator.Capabilities;
import io.outboard.communicator.Capability;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Distance;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Listening;
import io.outboard.communicator.TakenException;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.SocketAddress;
import io.outboard.communicator.posix.Sockets;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/**
 * Unix sockets, {@code unix:PATH}, which only their user can connect to, and a group where it is
 * told.
 */
public final class UnixCommunicator implements Communicator {
  private static final int BACKLOG = 128;

  /** A listener that does not accept, and whose queue is full, is an error within seconds. */
  private static final int CONNECT_MS = 10_000;

  private static final Capabilities CAPABILITIES =
      new Capabilities(
          Distance.SAME_MACHINE,
          Capability.REGIONS,
          Capability.DESCRIPTORS,
          Capability.VOUCHING,
          Capability.OWN_USE);

  @Override
  public String scheme() {
    return Endpoint.UNIX;
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  /**
   * Waits for clients; missing folders are made, open only to users that may connect. The socket of
   * a listener that is gone is replaced, that of one that answers is not.
   */
  @Override
  public Listener listen(Endpoint endpoint, Listening how) throws IOException {
    String path = endpoint.requirePath();
    SocketUsers users = new SocketUsers(how.group());
    users.makeFolder(Path.of(path).toAbsolutePath().getParent());
    int socket = Errno.check(Sockets.socket(Sockets.AF_UNIX), "cannot make a socket");
    try (FolderLock lock = FolderLock.of(Path.of(path).toAbsolutePath().getParent())) {
      lock.await();
      bind(socket, endpoint);
      Object file = identity(path);
      // Nobody can connect before listen, so the mode is never wider than this.
      users.open(Path.of(path));
      Errno.check(Sockets.listen(socket, BACKLOG), "cannot listen at " + endpoint);
      return new SocketListener(
          endpoint, socket, _ -> {}, Optional.of(users), () -> remove(path, file));
    } catch (IOException | RuntimeException e) {
      Posix.close(socket);
      throw e;
    }
  }

  @Override
  public int connect(Endpoint endpoint) throws IOException {
    return Connected.check(tryConnect(endpoint.requirePath()), endpoint);
  }

  /** Whether somebody listens at a path. */
  public static boolean answers(String path) {
    if (path.getBytes(UTF_8).length > SocketAddress.PATH) {
      return false;
    }
    int connection = tryConnect(path);
    if (connection >= 0) {
      Posix.close(connection);
    }
    return connection >= 0;
  }

  /** Returns a connection, or the negated error number: EAGAIN where it took too long. */
  public static int tryConnect(String path) {
    return tryConnect(path, CONNECT_MS);
  }

  /** The same within so many milliseconds. */
  static int tryConnect(String path, int milliseconds) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = SocketAddress.unix(arena, path);
      int socket = Sockets.socket(Sockets.AF_UNIX);
      if (socket < 0) {
        return socket;
      }
      Sockets.setTimeout(socket, milliseconds);
      int connected = Sockets.connect(socket, address);
      if (connected < 0) {
        Posix.close(socket);
        return connected;
      }
      Sockets.setTimeout(socket, 0);
      return socket;
    }
  }

  private static void bind(int socket, Endpoint endpoint) throws IOException {
    String path = endpoint.path();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = SocketAddress.unix(arena, path);
      int bound = Sockets.bind(socket, address);
      if (bound == -Errno.EADDRINUSE && isSocket(path)) {
        removeStale(endpoint);
        Connected.checkListening(Sockets.bind(socket, address), endpoint);
      } else {
        Errno.check(bound, "cannot listen at " + endpoint);
      }
    }
  }

  private static void removeStale(Endpoint endpoint) throws IOException {
    int connection = tryConnect(endpoint.path());
    if (connection >= 0) {
      Posix.close(connection);
      throw new TakenException(endpoint);
    }
    if (connection == -Errno.ECONNREFUSED) {
      Posix.unlink(endpoint.path());
    }
  }

  private static boolean isSocket(String path) throws IOException {
    return attributes(path).isOther();
  }

  private static Object identity(String path) throws IOException {
    return attributes(path).fileKey();
  }

  private static BasicFileAttributes attributes(String path) throws IOException {
    return Files.readAttributes(
        Path.of(path), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  /** Removes our socket, unless somebody has put another in its place. */
  private static void remove(String path, Object file) {
    try {
      if (file.equals(identity(path))) {
        Posix.unlink(path);
      }
    } catch (IOException e) {
      // It is gone already, which is what was wanted.
      return;
    }
  }
}
