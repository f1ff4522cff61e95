// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The order in which the frontend looks for a backend, in namespaces with an empty machine. */
final class FindTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  // Each step adds what wins over all before.
  private static final String STEPS =
      """
      mount -t tmpfs tmpfs /etc
      mount -t tmpfs tmpfs /run
      mkdir -p /etc/outboard /run/outboard /run/user/outboard .config/outboard
      where() { "$0" || echo none; }
      where
      ln -s "$1" /run/outboard/outboard.sock
      where
      ln -s "$1" /run/user/outboard/outboard.sock
      where
      echo "backend=tcp://machine" >/etc/outboard/outboard.properties
      where
      echo "backend: tcp://user" >.config/outboard/outboard.properties
      where
      printf '# ours\\n backend = tcp://folder \\n' >outboard.properties
      where
      OUTBOARD=tcp://variable where
      """;

  private static final String FOUND =
      """
      none
      unix:/run/outboard/outboard.sock
      unix:/run/user/outboard/outboard.sock
      tcp://machine
      tcp://user
      tcp://folder
      tcp://variable
      """;

  @Test
  void isTheDocumentedOne(@TempDir Path home) throws Exception {
    assumeTrue(BareRoot.isPermitted(), "this machine permits no user namespaces (unshare)");
    List<String> command =
        List.of(
            "unshare",
            "-rm",
            "sh",
            "-ec",
            "cd '%s'%n%s".formatted(home, STEPS),
            Home.TOOLS.resolve("outboard-where").toString(),
            BACKEND.socket().toString());
    Map<String, String> variables =
        Map.of("HOME", home.toString(), "XDG_RUNTIME_DIR", "/run/user", "XDG_CONFIG_HOME", "");
    assertEquals(new Program.Ended(0, FOUND, ""), Program.run(command, variables));
  }
}
