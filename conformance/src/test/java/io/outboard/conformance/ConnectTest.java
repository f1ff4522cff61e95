// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Listening;
import io.outboard.communicator.certificate.TlsIdentity;
import io.outboard.communicator.certificate.TlsServer;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.tls.TlsCommunicator;
import io.outboard.patience.Patience;
import io.outboard.testkit.Amount;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code outboard-connect} in front of a server that sends back what it gets. */
final class ConnectTest {
  private static final Path PROGRAM = Home.TOOLS.resolve("outboard-connect");
  private static final int REFUSED = 1;
  private static final int AT_ONCE = 6;

  @TempDir private Path folder;
  private Certificates certificates;

  @BeforeEach
  void makeCertificates() throws IOException {
    certificates = new Certificates(folder);
    Files.createDirectory(folder.resolve("run"));
  }

  /** A server, until it is closed. */
  private final class Echo implements AutoCloseable {
    private final Listener listener;

    Echo(TlsIdentity identity, boolean wantsCertificate) throws IOException {
      TlsServer server =
          new TlsServer(
              identity,
              wantsCertificate ? List.of(certificates.authority().certificate()) : List.of());
      Endpoint any = Endpoint.parse("tls://127.0.0.1:0");
      listener =
          new TlsCommunicator()
              .listen(any, new Listening(false, Optional.of(server), Optional.empty(), _ -> {}));
      start(this::serve);
    }

    String at(String host) {
      return "tls://" + host + ":" + listener.endpoint().port();
    }

    private static void start(Runnable work) {
      Thread.ofPlatform().daemon(true).start(work);
    }

    private void serve() {
      try {
        for (int one = listener.accept(); one != Listener.CLOSED; one = listener.accept()) {
          int client = one;
          start(() -> echo(client));
        }
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }

    private static void echo(int client) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment room = arena.allocate(50_000);
        for (long n = 1; n > 0; ) {
          n = Posix.read(client, room.address(), room.byteSize());
          if (n > 0 && Posix.writeAll(client, room.address(), n) != 0) {
            break;
          }
        }
        Sockets.shutdown(client, Sockets.SHUT_WR);
      } finally {
        Posix.close(client);
      }
    }

    @Override
    public void close() {
      listener.close();
    }
  }

  private Map<String, String> variables() {
    return Map.of("XDG_RUNTIME_DIR", folder.resolve("run").toString());
  }

  private String refusal(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(PROGRAM.toString()));
    command.addAll(List.of(arguments));
    Program.Ended ended = Program.run(command, variables());
    assertEquals(REFUSED, ended.status(), ended::toString);
    assertEquals(1, ended.errors().lines().count(), ended::toString);
    assertEquals("", ended.output());
    return ended.errors();
  }

  private void assertRefused(String why, String... arguments) throws Exception {
    String said = refusal(arguments);
    assertTrue(said.startsWith("outboard: cannot use the backend tls://"), said);
    assertTrue(said.contains(why), said);
  }

  private String ca() {
    return "--ca=" + certificates.ca();
  }

  @Test
  void itSaysWhatIsWrongWithACertificate() throws Exception {
    try (Echo echo = new Echo(certificates.server("localhost"), false)) {
      assertRefused("not trusted", echo.at("localhost"));
      assertRefused("another host's", ca(), echo.at("127.0.0.1"));
      assertRefused("not the pinned one", echo.at("0".repeat(64) + "@localhost"));
      assertRefused("No such file", "--ca=/nonexistent/ca.pem", echo.at("localhost"));
    }
    try (Echo echo = new Echo(certificates.expired("localhost"), false)) {
      assertRefused("expired", ca(), echo.at("localhost"));
    }
  }

  @Test
  void backendsMayWantACertificate() throws Exception {
    Path alice = certificates.write("alice", certificates.client("alice"));
    Path key = folder.resolve("alice.key");
    try (Echo echo = new Echo(certificates.server("localhost"), true)) {
      assertRefused("it wants a certificate", ca(), echo.at("localhost"));
      Process process =
          start(PROGRAM, ca(), "--cert=" + alice, "--key=" + key, echo.at("localhost"));
      exchange(socket(process), new Random(1), 10_000);
      process.destroy();
      Patience.exit(process);
    }
    Path other = certificates.write("other", certificates.client("other"));
    assertRefused("other.key", ca(), "--cert=" + alice, "--key=" + keyOf(other), "tls://localhost");
  }

  private static Path keyOf(Path certificate) {
    return Path.of(certificate.toString().replace(".pem", ".key"));
  }

  @Test
  void withoutOpensslItSaysSo() throws Exception {
    Path none = Files.createDirectory(folder.resolve("none"));
    for (String name : List.of("libssl.so.3", "libssl.so.1.1")) {
      Files.writeString(none.resolve(name), "no library");
    }
    Program.Ended ended =
        Program.run(
            List.of(PROGRAM.toString(), "tls://localhost"),
            Map.of("LD_LIBRARY_PATH", none.toString()));
    assertTrue(ended.errors().contains("neither libssl.so.3 nor libssl.so.1.1"), ended::toString);
  }

  @Test
  void whatIsNoBackendIsRefused() throws Exception {
    for (String wrong : List.of("tcp://h", "tls://", "tls://x@h", "tls://h/path", "tls://[::1")) {
      assertEquals(2, Program.run(List.of(PROGRAM.toString(), wrong), Map.of()).status(), wrong);
    }
    try (ServerSocket plain = new ServerSocket(0)) {
      Echo.start(
          () -> {
            try {
              plain
                  .accept()
                  .getOutputStream()
                  .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(UTF_8));
            } catch (IOException e) {
              throw new IllegalStateException(e);
            }
          });
      assertRefused("does not speak TLS", "tls://127.0.0.1:" + plain.getLocalPort());
    }
  }

  /** With the address and undefined-behaviour sanitizers, whose complaints end it. */
  @Test
  void whateverComesIsPassedOn() throws Exception {
    Path program = sanitized();
    try (Echo echo = new Echo(certificates.server("localhost"), false);
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      Process process = start(program, ca(), echo.at("localhost"));
      Path socket = socket(process);
      Random seeds = new Random(20261121);
      List<Future<?>> clients = new ArrayList<>();
      for (int i = 0; i < Amount.of(40, 1_000); i++) {
        Random random = new Random(seeds.nextLong());
        int bytes = 1 << random.nextInt(22);
        clients.add(threads.submit(() -> exchange(socket, random, bytes)));
      }
      for (Future<?> client : clients) {
        client.get();
      }
      process.destroy();
      assertEquals(0, Patience.exit(process));
      assertEquals("", Files.readString(folder.resolve("errors")));
    }
    try (var left = Files.list(folder.resolve("run"))) {
      assertEquals(List.of(), left.toList());
    }
  }

  private static Path sanitized() throws Exception {
    Path program = Home.PATH.resolve("frontend/target/asan/bin/outboard-connect");
    Program.Ended built =
        Program.run(
            List.of(
                "make",
                "-s",
                "-C",
                Home.PATH.resolve("frontend").toString(),
                "target/asan/bin/outboard-connect",
                "OUT=target/asan",
                "START=",
                "CFLAGS=-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined"
                    + " -fno-omit-frame-pointer"),
            Map.of());
    assumeTrue(built.status() == 0, "no sanitizers here: " + built);
    return program;
  }

  private Process start(Path program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(folder.resolve("errors").toFile());
    Program.setVariables(builder, variables());
    return builder.start();
  }

  private Path socket(Process process) throws IOException {
    String line = process.inputReader().readLine();
    assertTrue(
        line != null && line.startsWith("relay:"), () -> line + " " + folder.resolve("errors"));
    return Path.of(line.substring("relay:".length()));
  }

  /** Sends, while it reads what comes back; or goes away in the middle. */
  private static Void exchange(Path socket, Random random, int bytes) throws Exception {
    byte[] data = new byte[bytes];
    random.nextBytes(data);
    boolean leaves = random.nextInt(4) == 0;
    ByteBuffer back = ByteBuffer.allocate(leaves ? bytes / 2 : bytes + 1);
    Thread writer;
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      writer = Thread.ofPlatform().start(() -> send(channel, data));
      for (int n = 0; n >= 0 && back.hasRemaining(); ) {
        n = channel.read(back);
      }
      if (!leaves) {
        writer.join();
      }
    }
    writer.join();
    byte[] got = new byte[back.position()];
    back.flip().get(got);
    assertArrayEquals(Arrays.copyOf(data, leaves ? bytes / 2 : bytes), got);
    return null;
  }

  private static void send(SocketChannel channel, byte[] data) {
    try {
      for (ByteBuffer rest = ByteBuffer.wrap(data); rest.hasRemaining(); ) {
        channel.write(rest);
      }
      channel.shutdownOutput();
    } catch (IOException _) {
      // The peer that leaves closes it.
      return;
    }
  }

  @Test
  void itEndsWithItsProgram() throws Exception {
    try (Echo echo = new Echo(certificates.server("localhost"), false)) {
      Process program = new ProcessBuilder("sleep", "60").start();
      String pid = Long.toString(program.pid());
      Program.Ended started =
          Program.run(
              List.of(PROGRAM.toString(), ca(), "--for", pid, echo.at("localhost")), variables());
      Path socket = Path.of(started.output().strip().substring("relay:".length()));
      exchange(socket, new Random(2), 100_000);
      program.destroy();
      Patience.until("the companion's end", () -> !Files.exists(socket.getParent()));
    }
  }
}
