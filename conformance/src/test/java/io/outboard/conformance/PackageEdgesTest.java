// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The packages of a module use each other in one direction, and stay small. */
final class PackageEdgesTest {
  private static final String ROOT = "io/outboard/";
  private static final String SOURCES = "src/main/java";
  private static final int MOST_CLASSES = 26;

  /** Those with several packages; {@code bench} is built after these tests. */
  private static Stream<String> modules() throws IOException {
    return ModuleTable.read(Home.PATH.resolve("ARCHITECTURE.md")).modules().stream()
        .filter(module -> !module.equals("bench"))
        .filter(module -> sources(module).map(PackageEdgesTest::packageOf).distinct().count() > 1);
  }

  private static Stream<String> sources(String module) {
    return Files.isDirectory(Home.PATH.resolve(module).resolve(SOURCES))
        ? files(module, SOURCES, ".java").filter(file -> !file.endsWith("/package-info.java"))
        : Stream.empty();
  }

  /** Takes away what uses nothing that is left, again and again: a circle stays. */
  @ParameterizedTest
  @MethodSource("modules")
  void noTwoReachEachOther(String module) {
    Map<String, Set<String>> left = new TreeMap<>();
    files(module, "target/classes", ".class").forEach(file -> addArrows(left, file));
    assertFalse(left.isEmpty(), "nothing was compiled");
    List<String> ground = new ArrayList<>();
    do {
      ground.clear();
      left.forEach(
          (name, used) -> {
            if (used.stream().noneMatch(left::containsKey)) {
              ground.add(name);
            }
          });
      ground.forEach(left::remove);
    } while (!ground.isEmpty());
    assertEquals(Map.of(), left);
  }

  /** Generated classes do not count, and neither do records of a vendor's structures. */
  @ParameterizedTest
  @MethodSource("modules")
  void eachIsSmallEnoughToBeRead(String module) {
    Map<String, Integer> sizes = new TreeMap<>();
    sources(module).forEach(file -> sizes.merge(packageOf(file), 1, Integer::sum));
    assertFalse(sizes.isEmpty(), "no sources");
    sizes.keySet().removeIf(name -> name.endsWith("/struct"));
    sizes.values().removeIf(classes -> classes <= MOST_CLASSES);
    assertEquals(Map.of(), sizes);
  }

  private static Stream<String> files(String module, String folder, String suffix) {
    Path root = Home.PATH.resolve(module).resolve(folder);
    try (Stream<Path> files = Files.walk(root)) {
      return files.map(Path::toString).filter(file -> file.endsWith(suffix)).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void addArrows(Map<String, Set<String>> arrows, String file) {
    String own = packageOf(file);
    Set<String> used = arrows.computeIfAbsent(own, _ -> new TreeSet<>());
    uses(Path.of(file))
        .filter(other -> other.startsWith(ROOT))
        .map(PackageEdgesTest::packageOf)
        .filter(other -> !other.equals(own))
        .forEach(used::add);
  }

  private static String packageOf(String path) {
    return path.substring(path.indexOf(ROOT) + ROOT.length(), path.lastIndexOf('/'));
  }

  private static Stream<String> uses(Path file) {
    try {
      return StreamSupport.stream(ClassFile.of().parse(file).constantPool().spliterator(), false)
          .filter(ClassEntry.class::isInstance)
          .map(entry -> ((ClassEntry) entry).asInternalName());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
