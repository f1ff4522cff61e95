// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Published tarballs work by themselves: a program in a bare root with the client's tarball runs on
 * a backend of the server's tarball.
 */
final class BareRootTest {
  @TempDir private static Path serverFolder;

  @RegisterExtension
  @Order(1)
  static final BeforeAllCallback POSSIBLE =
      _ -> {
        assumeTrue(
            Tarballs.canMakeServer(), "no jar of the command: run the build's package phase");
        assumeTrue(BareRoot.isPermitted(), "this machine permits no user namespaces (unshare)");
      };

  @RegisterExtension
  @Order(2)
  static final Backend BACKEND = new Backend(_ -> server());

  private static List<String> server() throws IOException {
    try {
      Path server = Tarballs.unpack(Tarballs.server(), serverFolder.resolve("unpacked"));
      return List.of(server.resolve("bin/outboard").toString());
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void programsRunOverAMountedSocket(@TempDir Path folder) throws Exception {
    Program.Ended ended =
        new BareRoot(folder, Home.VECTOR_ADD).runOverSocket(BACKEND.socket().getParent());
    assertEquals(new Program.Ended(0, Home.VECTOR_ADD_PASSED, ""), ended);
  }

  @Test
  void programsRunOverTcp(@TempDir Path folder) throws Exception {
    Program.Ended ended =
        new BareRoot(folder, Home.VECTOR_ADD).runOverTcp(BACKEND.tcp(), BACKEND.token());
    assertEquals(new Program.Ended(0, Home.VECTOR_ADD_PASSED, ""), ended);
  }

  @Test
  void withoutTheTokenTcpIsRefused(@TempDir Path folder) throws Exception {
    Program.Ended ended =
        new BareRoot(folder, Home.VECTOR_ADD).runOverTcp(BACKEND.tcp(), "0".repeat(64));
    assertTrue(ended.status() != 0 && ended.errors().contains("token"), ended::toString);
  }

  @Test
  void theServersTarballIsTheWholeCommand(@TempDir Path home) throws Exception {
    Path outboard = serverFolder.resolve("unpacked/outboard-server-test/bin/outboard");
    Path link = Files.createSymbolicLink(serverFolder.resolve("link"), outboard);
    Map<String, String> bare =
        Map.of("JAVA_HOME", "", "PATH", "/usr/bin:/bin", "HOME", home.toString());
    Program.Ended devices =
        Program.run(List.of(link.toString(), "devices", "--on=unix:" + BACKEND.socket()), bare);
    assertTrue(devices.output().contains("Outboard Software GPU"), devices::toString);
    Program.Ended run =
        Program.run(
            List.of(link.toString(), "run", "--device=software", Home.VECTOR_ADD.toString()), bare);
    assertEquals(new Program.Ended(0, Home.VECTOR_ADD_PASSED, ""), run);
  }
}
