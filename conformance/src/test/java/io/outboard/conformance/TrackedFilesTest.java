// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The repository holds sources, and nothing that a run of a backend or of a tool left there. */
final class TrackedFilesTest {
  /** In the root, beside the modules. */
  private static final Set<String> ROOT =
      Set.of(
          ".ci",
          ".clang-format",
          ".gitignore",
          ".mvn",
          "ARCHITECTURE.md",
          "CHANGELOG.md",
          "CONTRIBUTING.md",
          "LICENSE",
          "PROTOCOL.md",
          "README.md",
          "SECURITY.md",
          "adapters",
          "docs",
          "examples",
          "find-jdk.sh",
          "mvnw",
          "outboard",
          "pom.xml");

  /** States of sessions, keys, stores and logs. */
  private static final Pattern LEFT = Pattern.compile(".*\\.(facts|key|pem|p12|db|log|crash)");

  private static final Pattern OF_A_TEST = Pattern.compile(".*/src/test/.*");

  private static List<String> tracked() throws IOException, InterruptedException {
    Program.Ended listed =
        Program.run(List.of("git", "-C", Home.PATH.toString(), "ls-files"), Map.of());
    assumeTrue(listed.status() == 0, "this is no checkout of git's");
    return listed.output().lines().toList();
  }

  @Test
  void theRootHoldsKnownNames() throws Exception {
    Set<String> names =
        tracked().stream()
            .map(file -> file.split("/", 2)[0])
            .filter(name -> !Files.exists(Home.PATH.resolve(name).resolve("pom.xml")))
            .collect(Collectors.toCollection(TreeSet::new));
    names.removeAll(ROOT);
    assertEquals(Set.of(), names);
  }

  @Test
  void noFileIsOfARun() throws Exception {
    List<String> left =
        tracked().stream()
            .filter(file -> LEFT.matcher(file).matches() && !OF_A_TEST.matcher(file).matches())
            .toList();
    assertTrue(left.isEmpty(), left::toString);
  }
}
