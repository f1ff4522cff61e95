// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * No module uses another that ARCHITECTURE.md does not let it use, neither in its pom nor in its
 * classes.
 */
final class ModuleEdgesTest {
  private static final String PREFIX = "outboard-";

  private final ModuleTable table;

  ModuleEdgesTest() throws IOException {
    table = ModuleTable.read(Home.PATH.resolve("ARCHITECTURE.md"));
  }

  @Test
  void theTableNamesEveryModule() throws Exception {
    Set<String> modules = new TreeSet<>(texts(pom(Home.PATH), "module"));
    assertEquals(modules, table.modules());
  }

  @Test
  void pomsKeepToTheTable() throws Exception {
    List<String> wrong = new ArrayList<>();
    for (String module : table.modules()) {
      for (String used : dependencies(Home.PATH.resolve(module))) {
        if (!table.direct(module).contains(used) && !module.equals("frontend")) {
          wrong.add(module + " -> " + used);
        }
      }
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void classesKeepToTheTable() throws IOException {
    Map<String, String> owners = new HashMap<>();
    for (String module : table.modules()) {
      classes(module).forEach(file -> owners.put(name(module, file), module));
    }
    assertFalse(owners.isEmpty(), "nothing was compiled");
    Set<String> wrong = new TreeSet<>();
    for (String module : table.modules()) {
      for (Path file : classes(module)) {
        uses(file)
            .map(owners::get)
            .filter(used -> used != null && !table.reachable(module).contains(used))
            .forEach(used -> wrong.add(module + " -> " + used));
      }
    }
    assertEquals(Set.of(), wrong);
  }

  private static List<Path> classes(String module) throws IOException {
    Path folder = output(module);
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".class")).toList();
    }
  }

  private static Path output(String module) {
    return Home.PATH.resolve(module).resolve("target/classes");
  }

  private static String name(String module, Path file) {
    return output(module).relativize(file).toString().replaceFirst("\\.class$", "");
  }

  private static Stream<String> uses(Path file) {
    try {
      Iterable<PoolEntry> pool = ClassFile.of().parse(file).constantPool();
      return StreamSupport.stream(pool.spliterator(), false)
          .filter(ClassEntry.class::isInstance)
          .map(entry -> ((ClassEntry) entry).asInternalName());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The modules that come along at run time; an annotation processor does not. */
  private static List<String> dependencies(Path module) throws Exception {
    List<String> used = new ArrayList<>();
    NodeList dependencies = pom(module).getElementsByTagName("dependency");
    for (int i = 0; i < dependencies.getLength(); i++) {
      Element dependency = (Element) dependencies.item(i);
      String artifact = texts(dependency, "artifactId").getFirst();
      boolean carried =
          texts(dependency, "scope").stream()
              .noneMatch(scope -> scope.equals("provided") || scope.equals("test"));
      if (artifact.startsWith(PREFIX) && carried) {
        used.add(artifact.substring(PREFIX.length()));
      }
    }
    return used;
  }

  private static Element pom(Path module) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(module.resolve("pom.xml").toFile())
        .getDocumentElement();
  }

  private static List<String> texts(Element element, String name) {
    NodeList nodes = element.getElementsByTagName(name);
    return Stream.iterate(0, i -> i < nodes.getLength(), i -> i + 1)
        .map(nodes::item)
        .map(Node::getTextContent)
        .toList();
  }
}
