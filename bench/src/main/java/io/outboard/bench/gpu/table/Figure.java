// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.table;

import io.outboard.bench.gpu.run.Group;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A figure that is measured, and its targets.
 *
 * @param group the group of the piece that measures it
 * @param name as programs print it
 * @param label as people read it
 * @param unit of its values
 * @param targets where it is to get, by way; in some ways it has none
 */
record Figure(Group group, String name, String label, String unit, Map<String, Target> targets) {
  private static final String TABLE = "figures.tsv";
  private static final int LABELS = 4;
  private static final List<String> MEDIA = List.of("shm", "unix", "tcp");

  /** Those of the committed table, in its order. */
  static List<Figure> all() {
    try (InputStream in = Figure.class.getResourceAsStream(TABLE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(Figure::parse)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Columns are separated by tabs. */
  static Figure parse(String line) {
    String[] columns = line.split("\t", -1);
    if (columns.length != LABELS + MEDIA.size()) {
      throw new IllegalArgumentException("'" + line + "' has " + columns.length + " columns");
    }
    Map<String, Target> targets = new HashMap<>();
    for (int i = 0; i < MEDIA.size(); i++) {
      if (!columns[LABELS + i].equals("-")) {
        targets.put(MEDIA.get(i), Target.parse(columns[LABELS + i]));
      }
    }
    return new Figure(Group.of(columns[0]), columns[1], columns[2], columns[3], targets);
  }

  Optional<Target> target(String way) {
    return Optional.ofNullable(targets.get(way));
  }
}
