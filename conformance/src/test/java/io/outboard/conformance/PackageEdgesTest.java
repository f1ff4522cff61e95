// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import org.junit.jupiter.api.Test;

/** Packages of the backend use each other in one direction, and stay small. */
final class PackageEdgesTest {
  private static final Path CLASSES = Home.PATH.resolve("backend/target/classes");
  private static final String ROOT = "io/outboard/backend/";
  private static final int MOST_CLASSES = 26;

  private final Map<String, Set<String>> arrows = new TreeMap<>();
  private final Map<String, Integer> sizes = new TreeMap<>();

  PackageEdgesTest() throws IOException {
    try (Stream<Path> files = Files.walk(CLASSES)) {
      files.filter(file -> file.toString().endsWith(".class")).forEach(this::read);
    }
  }

  private void read(Path file) {
    String name = CLASSES.relativize(file).toString();
    String own = packageOf(name);
    if (!name.contains("$") && !name.endsWith("package-info.class")) {
      sizes.merge(own, 1, Integer::sum);
    }
    Set<String> used = arrows.computeIfAbsent(own, _ -> new TreeSet<>());
    uses(file)
        .filter(other -> other.startsWith(ROOT))
        .map(PackageEdgesTest::packageOf)
        .filter(other -> !other.equals(own))
        .forEach(used::add);
  }

  private static String packageOf(String path) {
    return path.substring(0, path.lastIndexOf('/')).substring(ROOT.length());
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

  /** Takes away what uses nothing that is left, again and again: a circle stays. */
  @Test
  void noTwoReachEachOther() {
    assertTrue(arrows.size() > 1, "nothing was compiled");
    Map<String, Set<String>> left = new TreeMap<>(arrows);
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

  @Test
  void eachIsSmallEnoughToBeRead() {
    sizes.forEach((name, classes) -> assertTrue(classes <= MOST_CLASSES, name + ": " + classes));
  }
}
