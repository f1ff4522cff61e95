// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * No folder of the frontend names a symbol of another that ARCHITECTURE.md does not let it use, and
 * arrows point down only.
 */
final class CEdgesTest {
  private static final Path FRONTEND = Home.PATH.resolve("frontend");
  private static final Path OBJECTS = FRONTEND.resolve("target");

  private final FolderTable table;

  CEdgesTest() throws IOException {
    table = FolderTable.read(Home.PATH.resolve("ARCHITECTURE.md"));
  }

  @Test
  void theTableNamesEveryFolder() throws IOException {
    Set<String> folders = new TreeSet<>();
    for (String library : table.libraries()) {
      sources(library).forEach(source -> folders.add(folder(FRONTEND, source)));
    }
    assertTrue(folders.contains("runtime/link"), "no sources");
    assertEquals(folders, new TreeSet<>(table.folders()));
  }

  @Test
  void arrowsOfTheTablePointDownOnly() {
    Set<String> below = new TreeSet<>();
    for (String folder : table.folders()) {
      Set<String> wrong = new TreeSet<>(table.mayUse(folder));
      wrong.removeAll(below);
      assertEquals(Set.of(), wrong, folder);
      below.add(folder);
    }
  }

  @Test
  void objectsKeepToTheTable() throws Exception {
    for (String library : table.libraries()) {
      Symbols symbols = Symbols.of(objects(library));
      assertFalse(crossings(symbols).isEmpty(), "no folder of " + library + " uses another");
      assertEquals("", wrong(symbols), "wrong arrows in " + library);
    }
  }

  @Test
  void everyArrowOfTheTableIsUsed() throws Exception {
    Set<String> unused = new TreeSet<>();
    for (String folder : table.folders()) {
      table.mayUse(folder).forEach(used -> unused.add(folder + " -> " + used));
    }
    for (String library : table.libraries()) {
      crossings(Symbols.of(objects(library))).forEach(use -> unused.remove(arrow(use)));
    }
    assertEquals(Set.of(), unused);
  }

  private String wrong(Symbols symbols) {
    return crossings(symbols).stream()
        .filter(use -> !table.mayUse(folder(OBJECTS, use.user())).contains(owner(use)))
        .map(CEdgesTest::text)
        .collect(Collectors.joining("\n"));
  }

  private static List<Symbols.Use> crossings(Symbols symbols) {
    return symbols.uses().stream()
        .filter(use -> !folder(OBJECTS, use.user()).equals(owner(use)))
        .toList();
  }

  private static String arrow(Symbols.Use use) {
    return folder(OBJECTS, use.user()) + " -> " + owner(use);
  }

  private static String owner(Symbols.Use use) {
    return folder(OBJECTS, use.owner());
  }

  private static String text(Symbols.Use use) {
    return "%s uses %s of %s"
        .formatted(OBJECTS.relativize(use.user()), use.symbol(), OBJECTS.relativize(use.owner()));
  }

  /** The objects of the sources that are there now: others may be left of an earlier build. */
  private static List<Path> objects(String library) throws IOException {
    return sources(library).stream().map(CEdgesTest::object).toList();
  }

  private static Path object(Path source) {
    String name = FRONTEND.relativize(source).toString();
    return OBJECTS.resolve(name.substring(0, name.length() - ".c".length()) + ".o");
  }

  private static List<Path> sources(String library) throws IOException {
    Path root = FRONTEND.resolve(library);
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(".c"))
          .filter(file -> !file.startsWith(root.resolve("test")))
          .toList();
    }
  }

  private static String folder(Path root, Path file) {
    return root.relativize(file.getParent()).toString();
  }
}
