// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.testkit.Amount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every walk of the pages prints what its page says. */
@Order(1)
final class WalkTest {
  private static final Path PAGES = Home.PATH.resolve("docs");

  /** They want a service or a network, and are walked by the tests that have it. */
  private static final Set<String> OF_SERVICES =
      Set.of(
          "containers.md",
          "identity.md",
          "jupyter.md",
          "kubernetes.md",
          "offload.md",
          "openstack.md",
          "pool.md",
          "slurm.md",
          "voms.md");

  /**
   * The operator's page takes half a minute of a processor; tests of each of its commands do not.
   */
  private static final String LONG = "operator.md";

  @TempDir private Path home;

  private static Stream<Path> pages() throws IOException {
    try (Stream<Path> pages = Files.walk(PAGES)) {
      return pages
          .filter(page -> page.toString().endsWith(".md"))
          .filter(Walk::isOn)
          .toList()
          .stream();
    }
  }

  private static Stream<Path> walks() throws IOException {
    return pages()
        .filter(page -> !OF_SERVICES.contains(page.getFileName().toString()))
        .filter(page -> Amount.isLong() || !page.endsWith(LONG));
  }

  @Test
  void theWalksAreThere() throws Exception {
    List<String> names = pages().map(page -> page.getFileName().toString()).sorted().toList();
    assertEquals(
        List.of(
            "containers.md",
            "identity.md",
            "jupyter.md",
            "kubernetes.md",
            "offload.md",
            "openstack.md",
            "operator.md",
            "pool.md",
            "several-hosts.md",
            "slurm.md",
            "voms.md"),
        names);
  }

  @ParameterizedTest
  @MethodSource("walks")
  void theCommandsDoWhatThePageSays(Path page) throws Exception {
    Walk.type(page, home);
  }
}
