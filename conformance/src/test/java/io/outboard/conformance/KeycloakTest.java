// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.patience.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** People of a real Keycloak. */
@Lengthy
final class KeycloakTest {
  private static final String SCRIPT =
      Home.PATH.resolve("conformance/identity/keycloak").toString();

  /** Its first start builds it anew, which takes minutes on a busy machine. */
  private static final Duration START = Duration.ofMinutes(3);

  private static final Duration PAUSE = Duration.ofSeconds(1);

  @TempDir private Path files;

  private Process provider;

  @AfterEach
  void endProvider() throws InterruptedException {
    if (provider != null) {
      provider.descendants().forEach(ProcessHandle::destroy);
      provider.destroy();
      provider.waitFor();
    }
  }

  @Test
  void itsTokenGivesTheTenantOfItsGroup() throws Exception {
    assumeTrue(isMade(), "Keycloak is not there");
    int port = FreePort.next();
    String token = tokenOf(port);
    Program.Ended explained = explain(port, "outboard-broker", token);
    assertEquals(0, explained.status(), explained::toString);
    assertTrue(explained.output().contains("rule GPU users fits"), explained::toString);
    assertTrue(
        explained.output().contains("tenant vo.example.org, role user"), explained::toString);
    String changed = token.substring(0, token.length() - 8) + "AAAAAAAA";
    assertRefused(explain(port, "outboard-broker", changed));
    assertRefused(explain(port, "another-broker", token));
  }

  private static void assertRefused(Program.Ended explained) {
    assertFalse(explained.output().contains("tenant vo.example.org"), explained::toString);
    assertTrue(explained.status() != 0, explained::toString);
  }

  private boolean isMade() throws Exception {
    return Program.isHere("python3")
        && Program.run(List.of(SCRIPT, "make", files.toString()), Map.of()).status() == 0;
  }

  private String tokenOf(int port) throws Exception {
    provider =
        new ProcessBuilder(SCRIPT, "serve", files.toString(), Integer.toString(port))
            .redirectErrorStream(true)
            .redirectOutput(files.resolve("keycloak.log").toFile())
            .start();
    long end = System.nanoTime() + Patience.of(START).toNanos();
    List<String> ask = List.of(SCRIPT, "token", Integer.toString(port));
    Program.Ended asked = Program.run(ask, Map.of());
    while (asked.status() != 0 && provider.isAlive() && System.nanoTime() < end) {
      Thread.sleep(PAUSE);
      asked = Program.run(ask, Map.of());
    }
    assertEquals(0, asked.status(), asked + Files.readString(files.resolve("keycloak.log")));
    return asked.output().strip();
  }

  private Program.Ended explain(int port, String audience, String token) throws Exception {
    String text =
        """
        [provider people]
        issuer = http://127.0.0.1:%d/realms/outboard
        audience = %s

        [rule GPU users]
        from = people
        claim.entitlements = urn:mace:egi.eu:group:{vo}:gpu:role=user#aai.example.org
        tenant = {vo}
        role = user
        """
            .formatted(port, audience);
    Path rules = Files.writeString(files.resolve("identity.conf"), text);
    return new Launcher(Files.createTempDirectory(files, "user"))
        .run("identity", "explain", "--identity", rules.toString(), token);
  }
}
