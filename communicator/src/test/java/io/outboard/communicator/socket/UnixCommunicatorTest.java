// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Listening;
import io.outboard.communicator.Origin;
import io.outboard.communicator.TakenException;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Processes;
import io.outboard.communicator.posix.SocketAddress;
import io.outboard.communicator.posix.Sockets;
import io.outboard.patience.KernelThread;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnixCommunicatorTest {
  private static final int ROUNDS = 50;
  private static final int AT_ONCE = 4;
  private static final Executor MANY = work -> Thread.ofPlatform().daemon(true).start(work);

  private final UnixCommunicator communicator = new UnixCommunicator();
  @TempDir private Path folder;
  private Path path;
  private Endpoint endpoint;

  @BeforeEach
  void choose() {
    path = folder.resolve("run/outboard/s");
    endpoint = Endpoint.unix(path.toString());
  }

  @Test
  void aClientConnectsAndIsVouchedFor() throws Exception {
    try (Listener listener = communicator.listen(endpoint, Listening.PLAIN)) {
      int client = communicator.connect(listener.endpoint());
      int server = listener.accept();
      assertTrue(listener.vouched(server));
      Connections.exchange(client, server);
      Posix.close(client);
      Posix.close(server);
    }
  }

  /** A container to which the socket was given is no operator, whoever its user is. */
  @ParameterizedTest
  @ValueSource(strings = {"--map-root-user", "--pid"})
  void whoLivesInOtherNamespacesIsAMember(String kind) throws Exception {
    List<String> command = List.of("unshare", kind, "--fork");
    assumeTrue(isPermitted(command), "this machine makes no namespaces " + kind);
    assertEquals(new Origin.Member(Processes.getuid()), originOf(command));
    assertEquals(new Origin.Owner(Processes.getuid()), originOf(List.of()));
  }

  private static boolean isPermitted(List<String> command) throws Exception {
    List<String> tried = new ArrayList<>(command);
    tried.add("true");
    return Patience.exit(new ProcessBuilder(tried).start()) == 0;
  }

  private Origin originOf(List<String> command) throws Exception {
    try (Listener listener = communicator.listen(endpoint, Listening.PLAIN)) {
      Process client = ConnectingProcess.start(command, endpoint);
      int server = listener.accept();
      Origin origin = listener.origin(server);
      client.getOutputStream().close();
      assertEquals(0, Patience.exit(client));
      Posix.close(server);
      return origin;
    }
  }

  /** Also where each of them finds a socket whose listener is gone. */
  @Test
  void oneOfManyGetsThePlace() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      leaveDeadSocket();
      CountDownLatch begin = new CountDownLatch(1);
      List<CompletableFuture<Optional<Listener>>> all =
          Stream.generate(() -> CompletableFuture.supplyAsync(() -> listen(begin), MANY))
              .limit(AT_ONCE)
              .toList();
      begin.countDown();
      List<Listener> listeners = new ArrayList<>();
      for (CompletableFuture<Optional<Listener>> one : all) {
        Patience.get(one).ifPresent(listeners::add);
      }
      assertEquals(1, listeners.size());
      Posix.close(communicator.connect(endpoint));
      listeners.getFirst().close();
    }
  }

  /** None where another has the place. */
  private Optional<Listener> listen(CountDownLatch begin) {
    try {
      begin.await();
      return Optional.of(communicator.listen(endpoint, Listening.PLAIN));
    } catch (TakenException e) {
      return Optional.empty();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void leaveDeadSocket() throws IOException {
    Files.createDirectories(path.getParent());
    int socket = Sockets.socket(Sockets.AF_UNIX);
    try (Arena arena = Arena.ofConfined()) {
      assertEquals(0, Sockets.bind(socket, SocketAddress.unix(arena, path.toString())));
    }
    Posix.close(socket);
  }

  @Test
  void onlyItsUserMayConnect() throws Exception {
    try (Listener listener = communicator.listen(endpoint, Listening.PLAIN)) {
      assertEquals("rw-------", permissions(path));
      assertEquals("rwx------", permissions(path.getParent()));
      assertTrue(UnixCommunicator.answers(path.toString()));
      assertEquals(endpoint, listener.endpoint());
    }
  }

  @Test
  void aGroupMayConnectWhereItIsTold() throws Exception {
    try (Listener listener = communicator.listen(endpoint, forOwnGroup())) {
      assertEquals("rw-rw----", permissions(path));
      assertEquals("rwxr-x---", permissions(path.getParent()));
      assertEquals("rwxr-x---", permissions(folder.resolve("run")));
      assertEquals(group(folder), group(path));
      int client = communicator.connect(listener.endpoint());
      int server = listener.accept();
      assertTrue(listener.vouched(server));
      assertEquals(
          new Origin.Owner(Processes.getuid()),
          listener.origin(server),
          "its own user is no mere member");
      Posix.close(client);
      Posix.close(server);
    }
  }

  @Test
  void aFolderThatTheGroupCannotPassIsSomebodysChoice() throws Exception {
    Path own = Files.createDirectory(path.getParent().getParent());
    Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwx------"));
    Endpoint inside = Endpoint.unix(own.resolve("s").toString());
    var error = assertThrows(IOException.class, () -> communicator.listen(inside, forOwnGroup()));
    assertTrue(error.getMessage().contains("cannot pass " + own), error::getMessage);
    assertEquals("rwx------", permissions(own));
    Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwx--x---"));
    communicator.listen(inside, forOwnGroup()).close();
  }

  private Listening forOwnGroup() throws IOException {
    return new Listening(false, Optional.empty(), Optional.of(group(folder)), _ -> {});
  }

  private static GroupPrincipal group(Path path) throws IOException {
    return Files.readAttributes(path, PosixFileAttributes.class).group();
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void aTcpPeerIsNotVouchedForHere() throws Exception {
    try (Listener unix = communicator.listen(endpoint, Listening.PLAIN);
        Listener tcp =
            new TcpCommunicator().listen(Endpoint.parse("tcp://127.0.0.1:0"), Listening.PLAIN)) {
      int client = new TcpCommunicator().connect(tcp.endpoint());
      assertFalse(unix.vouched(client));
      Posix.close(client);
    }
  }

  @Test
  void theSocketIsRemovedAtClose() throws Exception {
    communicator.listen(endpoint, Listening.PLAIN).close();
    assertFalse(Files.exists(path));
    var error = assertThrows(IOException.class, () -> communicator.connect(endpoint));
    assertEquals(
        "cannot connect to unix:"
            + path
            + ": No such file or directory; is 'outboard serve' running there?",
        error.getMessage());
  }

  @Test
  void anothersSocketIsNotRemoved() throws Exception {
    Listener first = communicator.listen(endpoint, Listening.PLAIN);
    Files.delete(path);
    try (Listener second = communicator.listen(endpoint, Listening.PLAIN)) {
      first.close();
      assertTrue(UnixCommunicator.answers(second.endpoint().path()));
    }
  }

  @Test
  void aStaleSocketIsReplaced() throws Exception {
    Files.createDirectories(path.getParent());
    int dead = Sockets.socket(Sockets.AF_UNIX);
    try (Arena arena = Arena.ofConfined()) {
      assertEquals(0, Sockets.bind(dead, SocketAddress.unix(arena, path.toString())));
    }
    Posix.close(dead);
    assertTrue(Files.exists(path));
    assertFalse(UnixCommunicator.answers(path.toString()));
    try (Listener listener = communicator.listen(endpoint, Listening.PLAIN)) {
      assertTrue(UnixCommunicator.answers(listener.endpoint().path()));
    }
  }

  @Test
  void aSocketThatAnswersIsNotReplaced() throws Exception {
    try (Listener listener = communicator.listen(endpoint, Listening.PLAIN)) {
      var error =
          assertThrows(IOException.class, () -> communicator.listen(endpoint, Listening.PLAIN));
      assertEquals(
          "somebody listens at unix:" + path + " already; --listen names another place",
          error.getMessage());
      assertTrue(UnixCommunicator.answers(listener.endpoint().path()));
    }
  }

  @Test
  void aFileThatIsNoSocketIsLeftAlone() throws Exception {
    Files.createDirectories(path.getParent());
    Files.writeString(path, "mine");
    var error =
        assertThrows(IOException.class, () -> communicator.listen(endpoint, Listening.PLAIN));
    assertTrue(error.getMessage().endsWith("Address already in use"), error.getMessage());
    assertEquals("mine", Files.readString(path));
  }

  @Test
  void closingEndsTheWaiting() throws Exception {
    Listener listener = communicator.listen(endpoint, Listening.PLAIN);
    CompletableFuture<KernelThread> waits = new CompletableFuture<>();
    var waiting =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                waits.complete(KernelThread.current());
                return listener.accept();
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    Patience.get(waits).untilSleeps();
    listener.close();
    listener.close();
    assertEquals(Listener.CLOSED, Patience.get(waiting));
    assertEquals(Listener.CLOSED, listener.accept());
  }

  @Test
  void aFullListenerThatDoesNotAcceptIsAnErrorInTime() {
    String full = folder.resolve("full").toString();
    int listener = Sockets.socket(Sockets.AF_UNIX);
    List<Integer> connections = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      assertEquals(0, Sockets.bind(listener, SocketAddress.unix(arena, full)));
      assertEquals(0, Sockets.listen(listener, 0));
      int connection = UnixCommunicator.tryConnect(full, 50);
      while (connection >= 0 && connections.size() < 10) {
        connections.add(connection);
        connection = UnixCommunicator.tryConnect(full, 50);
      }
      assertEquals(-Errno.EAGAIN, connection);
    } finally {
      connections.forEach(Posix::close);
      Posix.close(listener);
    }
  }
}
