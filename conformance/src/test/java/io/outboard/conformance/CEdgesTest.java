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
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * No folder of the frontend names a symbol or a header of another that ARCHITECTURE.md does not let
 * it use, and arrows point down only.
 */
final class CEdgesTest {
  private static final Path FRONTEND = Home.PATH.resolve("frontend");
  private static final Path OBJECTS = FRONTEND.resolve("target");

  private static final Pattern INCLUDE =
      Pattern.compile("^#include \"(\\w+/\\w+)\\.h\"", Pattern.MULTILINE);

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
  void includesKeepToTheTable() throws IOException {
    Set<String> wrong = new TreeSet<>();
    for (String folder : table.folders()) {
      Set<String> included = included(folder);
      included.removeAll(table.mayUse(folder));
      included.forEach(header -> wrong.add(folder + " -> " + header));
    }
    assertEquals(Set.of(), wrong);
  }

  /** The ground has a header a topic: symbols of an old glibc, for example, without the rest. */
  @Test
  void aFolderHasOneHeaderForTheOthers() throws IOException {
    Set<String> wrong = new TreeSet<>();
    for (String folder : table.folders()) {
      for (String header : headers(folder)) {
        String owner = ownerOf(header);
        String topic = header.substring(header.lastIndexOf('/') + 1);
        if (!owner.equals(folder) && !owner.endsWith("/base") && !owner.endsWith("/" + topic)) {
          wrong.add(folder + " includes " + header);
        }
      }
    }
    assertEquals(Set.of(), wrong);
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
    for (String folder : table.folders()) {
      included(folder).forEach(used -> unused.remove(folder + " -> " + used));
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

  /** The folders of the same library whose headers the files of a folder include. */
  private Set<String> included(String folder) throws IOException {
    Set<String> owners = new TreeSet<>();
    headers(folder).forEach(header -> owners.add(ownerOf(header)));
    owners.remove(folder);
    return owners;
  }

  /** The headers of the same library that the files of a folder include, as {@code cuda/a/b}. */
  private Set<String> headers(String folder) throws IOException {
    Set<String> headers = new TreeSet<>();
    for (Path file : files(FRONTEND.resolve(folder), "[ch]")) {
      INCLUDE
          .matcher(Files.readString(file))
          .results()
          .map(name -> Path.of(folder).resolveSibling(name.group(1)).toString())
          .filter(header -> table.folders().contains(ownerOf(header)))
          .forEach(headers::add);
    }
    return headers;
  }

  private static String ownerOf(String header) {
    return header.substring(0, header.lastIndexOf('/'));
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
    return files(root, "c").stream()
        .filter(file -> !file.startsWith(root.resolve("test")))
        .toList();
  }

  private static List<Path> files(Path root, String ending) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(file -> file.toString().matches(".*\\." + ending)).toList();
    }
  }

  private static String folder(Path root, Path file) {
    return root.relativize(file.getParent()).toString();
  }
}
