// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Lines of C have at most 100 columns, as those of Java, which Spotless holds. */
final class LineLengthTest {
  private static final int COLUMNS = 100;
  private static final Set<String> NOT_OURS = Set.of("target", ".git");

  @Test
  void linesOfCFit() throws IOException {
    Sources sources = new Sources();
    Files.walkFileTree(Home.PATH, sources);
    StringBuilder tooLong = new StringBuilder();
    for (Path source : sources.found) {
      tooLong.append(tooLong(source));
    }
    assertEquals("", tooLong.toString(), "`git clang-format` wraps lines that changed");
  }

  private static String tooLong(Path source) throws IOException {
    return Files.readAllLines(source).stream()
        .filter(line -> line.codePointCount(0, line.length()) > COLUMNS)
        .map(line -> Home.PATH.relativize(source) + ": " + line + "\n")
        .collect(joining());
  }

  private static final class Sources extends SimpleFileVisitor<Path> {
    private final List<Path> found = new ArrayList<>();

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      return NOT_OURS.contains(folder.getFileName().toString())
          ? FileVisitResult.SKIP_SUBTREE
          : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (file.toString().matches(".*\\.[ch]")) {
        found.add(file);
      }
      return FileVisitResult.CONTINUE;
    }
  }
}
