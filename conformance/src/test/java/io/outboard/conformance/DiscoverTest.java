// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three backends of three machines on one network, and one that does not say that it is there. */
final class DiscoverTest {
  private static final int PORT = 14900;
  private static final int MOST = 256;

  @TempDir private Path home;
  private SmallNetwork network;
  private final List<Backend> backends = new ArrayList<>();

  @BeforeEach
  void serve() throws Exception {
    network = SmallNetwork.open("n1", "n2", "n3", "quiet", "user");
    Launcher unused = new Launcher(Files.createDirectory(home.resolve("user")));
    for (String machine : List.of("n1", "n2", "n3")) {
      serve(machine, "--announce");
    }
    serve("quiet");
  }

  private void serve(String machine, String... more) throws Exception {
    List<String> options =
        Stream.concat(
                Stream.of(
                    "--insecure-tcp", "--listen=tcp://" + network.address(machine) + ":" + PORT),
                Stream.of(more))
            .toList();
    Backend backend =
        new Backend(
            temporary -> network.at(machine, Backend.fromSources(temporary)),
            "software:" + (1 + backends.size()),
            options.toArray(String[]::new));
    backend.beforeAll(null);
    backends.add(backend);
  }

  @AfterEach
  void end() throws Exception {
    for (Backend backend : backends) {
      backend.afterAll(null);
    }
    if (network != null) {
      network.remove();
    }
  }

  private Program.Ended discovered(String... more) throws Exception {
    List<String> words =
        Stream.concat(
                Stream.of(home.resolve("user/outboard").toString(), "devices", "--discover"),
                Stream.of(more))
            .toList();
    Map<String, String> variables =
        Map.of("HOME", home.toString(), "XDG_RUNTIME_DIR", home.toString());
    Program.Ended ended = Program.run(network.at("user", words), variables);
    assertEquals(0, ended.status(), ended::toString);
    return ended;
  }

  /** How many GPUs a machine's backend has, as its row says. */
  private boolean hasRow(String output, String machine, int gpus) {
    String where = "tcp://" + network.address(machine) + ":" + PORT;
    return output
        .lines()
        .map(line -> line.replaceAll(" +", " "))
        .anyMatch(("backend " + where + " " + gpus + " Outboard Software GPU")::equals);
  }

  private boolean hasAll(String output) {
    return hasRow(output, "n1", 1) && hasRow(output, "n2", 2) && hasRow(output, "n3", 3);
  }

  /** All in one, as four backends cost the start of eight processes. */
  @Test
  void whoAnnouncesItselfIsFound() throws Exception {
    Patience.until("three are found", () -> hasAll(discovered().output()));
    String found = discovered("--within=5s").output();
    assertFalse(found.contains(network.address("quiet")), found);
    assertFalse(found.contains("127.0.0.1"), found);
    Patience.until(
        "and as JSON",
        () -> discovered("--json").output().contains("\"uri\": \"tcp://10.77.36.3:14900\""));
    liesAreBounded();
    backends.removeFirst().afterAll(null);
    Patience.until("who has gone is not found", () -> !hasRow(discovered().output(), "n1", 1));
  }

  /** Somebody floods the network meanwhile; the backends serve on, and are found afterwards. */
  private void liesAreBounded() throws Exception {
    List<String> flood =
        List.of(
            Home.java(),
            "-cp",
            Home.PATH.resolve("conformance/target/test-classes").toString(),
            FalseAnnouncements.class.getName(),
            network.address("quiet"));
    Process liar =
        new ProcessBuilder(network.at("quiet", flood))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      assertEquals('s', liar.getInputStream().read(), "it sends");
      Program.Ended ended = discovered("--within=5s");
      assertTrue(ended.output().lines().count() <= MOST + 1, ended::toString);
      assertFalse(ended.output().contains("\u001b"), ended::toString);
    } finally {
      liar.destroyForcibly().waitFor();
    }
    for (Backend backend : backends) {
      assertTrue(backend.daemon().isAlive(), backend.log());
    }
    Patience.until("they are found again", () -> hasAll(discovered().output()));
  }
}
