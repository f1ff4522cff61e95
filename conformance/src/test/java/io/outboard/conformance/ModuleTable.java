// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The table of modules in ARCHITECTURE.md: which module may use which. */
final class ModuleTable {
  private static final Pattern ROW = Pattern.compile("\\| `([\\w-]+)` \\|.*\\|([^|]*)\\|");
  private static final Pattern NAME = Pattern.compile("`([\\w-]+)`");

  private final Map<String, Set<String>> arrows = new TreeMap<>();

  private ModuleTable() {}

  static ModuleTable read(Path architecture) throws IOException {
    ModuleTable table = new ModuleTable();
    for (String line : Files.readAllLines(architecture)) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        table.arrows.put(row.group(1), names(row.group(2)));
      }
    }
    for (Map.Entry<String, Set<String>> row : table.arrows.entrySet()) {
      if (row.getValue().contains("all")) {
        row.setValue(table.arrows.keySet());
      }
    }
    return table;
  }

  private static Set<String> names(String cell) {
    return cell.strip().equals("all")
        ? Set.of("all")
        : NAME.matcher(cell).results().map(name -> name.group(1)).collect(Collectors.toSet());
  }

  /** The modules. */
  Set<String> modules() {
    return arrows.keySet();
  }

  /** Modules that a module may depend on in its pom. */
  Set<String> direct(String module) {
    return arrows.get(module);
  }

  /** Modules whose classes a module may name: its dependencies, their dependencies, and so on. */
  Set<String> reachable(String module) {
    Set<String> reached = new LinkedHashSet<>();
    reach(module, reached);
    return reached;
  }

  private void reach(String module, Set<String> reached) {
    if (reached.add(module)) {
      arrows.get(module).forEach(next -> reach(next, reached));
    }
  }
}
