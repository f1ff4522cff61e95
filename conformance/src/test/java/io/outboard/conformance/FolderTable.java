// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The table of the frontend's folders in ARCHITECTURE.md: which folder may use which, ground first.
 */
final class FolderTable {
  private static final Pattern ROW = Pattern.compile("\\| `(\\w+/\\w+)` \\|.*\\|([^|]*)\\|");
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");

  private final Map<String, Set<String>> arrows;

  private FolderTable(Map<String, Set<String>> arrows) {
    this.arrows = arrows;
  }

  static FolderTable read(Path architecture) throws IOException {
    Map<String, Set<String>> arrows = new LinkedHashMap<>();
    for (String line : Files.readAllLines(architecture)) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        arrows.put(row.group(1), used(library(row.group(1)), row.group(2)));
      }
    }
    return new FolderTable(arrows);
  }

  private static Set<String> used(String library, String cell) {
    return NAME.matcher(cell)
        .results()
        .map(name -> library + "/" + name.group(1))
        .collect(Collectors.toSet());
  }

  private static String library(String folder) {
    return folder.substring(0, folder.indexOf('/'));
  }

  /** The libraries that are split into folders. */
  Set<String> libraries() {
    return arrows.keySet().stream().map(FolderTable::library).collect(Collectors.toSet());
  }

  /** The folders in the order of the table. */
  List<String> folders() {
    return List.copyOf(arrows.keySet());
  }

  /** The folders whose symbols a folder may name, itself not among them. */
  Set<String> mayUse(String folder) {
    return arrows.get(folder);
  }
}
