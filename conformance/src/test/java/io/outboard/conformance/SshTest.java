// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Backends behind ssh, for which a script stands in whose other end is this machine. */
final class SshTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  private static final String HOST = "ssh://me@gpu-node:2222";

  @TempDir private Path home;
  private Launcher outboard;

  @BeforeEach
  void makeHome() throws IOException {
    outboard = new Launcher(home);
    Path tools = Home.PATH.resolve("frontend/test/bin");
    outboard.set("PATH", tools + ":" + System.getenv("PATH"));
    // The other end's: a setting that names the host is found before this user's own socket.
    outboard.set("XDG_RUNTIME_DIR", BACKEND.folder().toString());
  }

  @AfterEach
  void theTunnelIsClosed() throws Exception {
    Patience.until(
        () -> "the tunnel's end: " + log(),
        () -> log().contains("-O exit") && outboard.temporary().toFile().list().length == 0);
  }

  private String log() {
    try {
      return Files.readString(home.resolve("ssh.log"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void programsRunThroughATunnel() throws Exception {
    Program.Ended ended = outboard.run("run", "--on", HOST, "--", Home.VECTOR_ADD.toString());
    assertEquals(new Program.Ended(0, Home.VECTOR_ADD_PASSED, ""), ended);
    assertTrue(log().contains("-p 2222"), log());
  }

  @Test
  void aFileMayNameTheHost() throws Exception {
    Path folder = Files.createDirectories(home.resolve(".config/outboard"));
    Files.writeString(folder.resolve("outboard.properties"), "backend = " + HOST + "\n");
    Program.Ended ended = outboard.run("run", "--", Home.VECTOR_ADD.toString());
    assertEquals(new Program.Ended(0, Home.VECTOR_ADD_PASSED, ""), ended);
  }

  @Test
  void devicesAreListedThroughATunnel() throws Exception {
    Program.Ended ended = outboard.run("devices", "--on", HOST);
    assertEquals(0, ended.status(), ended::toString);
    assertTrue(ended.output().contains("Outboard Software GPU"), ended::toString);
  }
}
