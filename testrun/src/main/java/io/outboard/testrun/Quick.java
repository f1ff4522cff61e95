// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The tests of {@code --quick}: the names in {@code quick.txt}, which says what belongs there.
 *
 * @param names as {@link Names} finds them; after a minus those of tests that are left out
 */
record Quick(List<String> names) {
  static Quick read() throws IOException {
    try (InputStream list =
        Objects.requireNonNull(Quick.class.getResourceAsStream("quick.txt"), "quick.txt")) {
      return new Quick(
          new String(list.readAllBytes(), UTF_8)
              .lines()
              .filter(line -> !line.isBlank() && !line.startsWith("#"))
              .map(line -> line.replaceFirst(" .*", ""))
              .toList());
    }
  }

  /**
   * Finds them.
   *
   * @throws Usage the list names what there is not
   */
  Set<Wanted> find(Sources sources) throws Usage {
    Names named = new Names(sources);
    Set<Wanted> wanted = new LinkedHashSet<>();
    for (String name : names) {
      if (name.startsWith("-")) {
        wanted.removeAll(named.find(name.substring(1)));
      } else {
        wanted.addAll(named.find(name));
      }
    }
    return wanted;
  }
}
