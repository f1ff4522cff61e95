// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code outboard dist} builds the benchmark where a source is newer than its last build. */
final class StaleTest {
  private static final String LINE =
      """
      set -eu
      root=$1
      . "$2/cli/sh/build.sh"
      . "$2/cli/sh/bench.sh"
      maven_build() { echo maven; }
      make() { :; }
      fail() { echo "$*"; exit 1; }
      build_bench 2>&1
      """;

  @TempDir private Path root;
  private Path source;

  @BeforeEach
  void makeSources() throws IOException {
    source = root.resolve("bench/src/main/Bench.java");
    for (String folder :
        List.of(
            ".mvn",
            "cli/sh",
            "examples/cuda/driver",
            "frontend",
            "bench/c",
            "bench/gpu",
            "target")) {
      Files.createDirectories(root.resolve(folder));
    }
    Files.createDirectories(source.getParent());
    for (String file : List.of("pom.xml", "bench/pom.xml", "bench/symbols.tsv", "bench/a.lock")) {
      Files.createFile(root.resolve(file));
    }
    Files.createFile(source);
  }

  private String build() throws IOException, InterruptedException {
    Program.Ended ended =
        Program.run(
            List.of("sh", "-c", LINE, "sh", root.toString(), Home.PATH.toString()), Map.of());
    assertEquals(0, ended.status(), ended::toString);
    return ended.output();
  }

  @Test
  void whatIsBuiltIsNotBuiltAnew() throws Exception {
    assertEquals("maven\n", build());
    assertEquals("", build());
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
    assertEquals("maven\n", build());
  }
}
