// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.patience.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A backend behind OpenSSH's server, with keys of its own, on this machine. */
final class SshdTest {
  private static final String SERVER = "/usr/sbin/sshd";

  /** The server of the superuser wants this folder, which is here in its own mount namespace. */
  private static final String PREPARED =
      "mount -t tmpfs tmpfs /run && mkdir -m 755 /run/sshd && exec \"$@\"";

  @RegisterExtension static final Backend BACKEND = new Backend();

  @TempDir private Path home;
  private final int port = freePort();
  private Process server;

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @BeforeEach
  void serve() throws Exception {
    assumeTrue(Files.isExecutable(Path.of(SERVER)), "this machine has no " + SERVER);
    assumeTrue(Program.isHere("ssh"), "this machine has no ssh");
    makeKey("host");
    makeKey("user");
    Files.copy(home.resolve("user.pub"), home.resolve("authorized"));
    Files.writeString(home.resolve("server"), serverSettings());
    Files.writeString(home.resolve("client"), clientSettings());
    Script.write(
        home.resolve("ssh"), "#!/bin/sh\nexec /usr/bin/ssh -F %s/client \"$@\"\n".formatted(home));
    Files.createDirectory(home.resolve("tmp"));
    server = start();
    Patience.until(() -> "ssh's server: " + log(), this::listens);
  }

  private void makeKey(String name) throws IOException, InterruptedException {
    List<String> command =
        List.of("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", home.resolve(name).toString());
    assertEquals(0, Program.run(command, Map.of()).status());
  }

  private String serverSettings() {
    return """
    ListenAddress 127.0.0.1:%1$d
    HostKey %2$s/host
    AuthorizedKeysFile %2$s/authorized
    PidFile none
    StrictModes no
    UsePAM no
    PermitRootLogin prohibit-password
    SetEnv XDG_RUNTIME_DIR=%3$s
    """
        .formatted(port, home, BACKEND.folder());
  }

  private String clientSettings() {
    return """
    IdentityFile %1$s/user
    IdentitiesOnly yes
    UserKnownHostsFile /dev/null
    StrictHostKeyChecking no
    LogLevel ERROR
    """
        .formatted(home);
  }

  private Process start() throws IOException {
    List<String> command = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("unshare", "--mount", "sh", "-c", PREPARED, "sh"));
    }
    command.addAll(List.of(SERVER, "-D", "-e", "-f", home.resolve("server").toString()));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(home.resolve("log").toFile())
        .start();
  }

  private boolean listens() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private String log() {
    try {
      return Files.readString(home.resolve("log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    if (server != null) {
      Patience.until("the tunnel's folder goes", this::hasNoTunnel);
      cut();
      server.destroy();
      server.waitFor();
    }
  }

  private boolean hasNoTunnel() throws IOException {
    try (Stream<Path> all = Files.list(home.resolve("tmp"))) {
      return all.findAny().isEmpty();
    }
  }

  /** Ends all connections of the server, and not the server. */
  private void cut() {
    server.descendants().forEach(ProcessHandle::destroyForcibly);
  }

  @Test
  void aProgramGoesOnThroughAnotherTunnel() throws Exception {
    Leftovers before = Leftovers.ofIdle(BACKEND);
    String run = Home.TOOLS.resolve("outboard-run").toString();
    String steady = Home.PROGRAMS.resolve("steady").toString();
    List<String> command = List.of(run, "--on", "ssh://127.0.0.1:" + port, "--", steady);
    Map<String, String> variables = new HashMap<>();
    variables.put("PATH", home + ":" + System.getenv("PATH"));
    variables.put("TMPDIR", home.resolve("tmp").toString());
    try (Steady program = Steady.start(command, variables)) {
      program.awaitProgress();
      for (int i = 0; i < 2; i++) {
        cut();
        program.awaitProgress();
      }
      program.finishAfterAll();
      String said = program.errors();
      assertEquals(
          2, said.lines().filter(line -> line.contains("is back")).count(), () -> said + log());
    }
    before.awaitSame();
  }
}
