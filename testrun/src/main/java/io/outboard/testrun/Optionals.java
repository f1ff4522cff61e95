// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What may be missing: packages without which some tests do not run ({@code .ci/optional}), and the
 * tests that continuous integration may miss ({@code .ci/skips}).
 *
 * @param packages each with words of the reasons that it removes
 * @param known tests, each with its class and package
 */
record Optionals(List<Extra> packages, Set<String> known) {
  /**
   * One or more packages.
   *
   * @param words part of what a test says that does not run without them
   */
  record Extra(String words, String packages) {}

  static Optionals read(Path root) throws IOException {
    Path folder = root.resolve(".ci");
    List<Extra> packages =
        lines(folder.resolve("optional"))
            .map(line -> line.split(": ", 2))
            .map(part -> new Extra(part[0], part[1]))
            .toList();
    Set<String> known = new LinkedHashSet<>();
    lines(folder.resolve("skips")).forEach(line -> known.add(line.replaceFirst(" .*", "")));
    return new Optionals(packages, known);
  }

  private static Stream<String> lines(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"));
  }

  /** The packages without which a test gave this reason. */
  Optional<String> enables(String reason) {
    return packages.stream()
        .filter(one -> reason.contains(one.words()))
        .map(Extra::packages)
        .findFirst();
  }

  /** Tests, by their names, that did not run though continuous integration must not miss them. */
  List<String> missed(List<Event> skips) {
    return skips.stream()
        .map(skip -> skip.type() + "." + skip.method())
        .filter(name -> !known.contains(name))
        .distinct()
        .toList();
  }
}
