// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The tests in the sources.
 *
 * @param modules in the order of the build
 * @param classes those of Java
 * @param programs those in C, by the names that {@code frontend/Makefile} gives them
 */
record Sources(List<String> modules, List<TestClass> classes, List<String> programs) {
  /** The module with the tests in C. */
  static final String FRONTEND = "frontend";

  private static final Pattern MODULE = Pattern.compile("<module>([\\w-]+)</module>");

  /** The end of the names of modules that have, in their main sources, what tests inherit. */
  private static final String KIT = "testkit";

  /** Reads them in the folder of the repository. */
  static Sources read(Path root) throws IOException {
    List<String> modules = modules(root);
    Map<String, TestSource> bases = new HashMap<>();
    for (String kit : modules.stream().filter(module -> module.endsWith(KIT)).toList()) {
      bases.putAll(sources(root.resolve(kit).resolve("src/main/java")));
    }
    List<TestClass> classes = new ArrayList<>();
    for (String module : modules) {
      classes.addAll(classes(root, module, bases));
    }
    return new Sources(modules, classes, programs(root));
  }

  /** The modules, in the order of the build. */
  static List<String> modules(Path root) throws IOException {
    return MODULE
        .matcher(Files.readString(root.resolve("pom.xml")))
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  private static List<TestClass> classes(Path root, String module, Map<String, TestSource> bases)
      throws IOException {
    Map<String, TestSource> own = sources(root.resolve(module).resolve("src/test/java"));
    Map<String, TestSource> sources = new HashMap<>(bases);
    sources.putAll(own);
    return own.keySet().stream()
        .filter(name -> name.endsWith("Test") && !own.get(name).isAbstract())
        .sorted()
        .map(name -> testClass(module, sources, own.get(name)))
        .toList();
  }

  private static Map<String, TestSource> sources(Path folder) throws IOException {
    Map<String, TestSource> sources = new HashMap<>();
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : (Iterable<Path>) files.filter(Sources::isJava).sorted()::iterator) {
          sources.put(simpleName(file), new TestSource(file));
        }
      }
    }
    return sources;
  }

  private static boolean isJava(Path file) {
    return file.toString().endsWith(".java");
  }

  private static String simpleName(Path file) {
    return file.getFileName().toString().replaceFirst("\\.java$", "");
  }

  private static TestClass testClass(
      String module, Map<String, TestSource> sources, TestSource source) {
    Map<String, Boolean> methods = new LinkedHashMap<>(source.methods());
    Optional<TestSource> base = source.base().map(sources::get);
    while (base.isPresent()) {
      base.get().methods().forEach(methods::putIfAbsent);
      base = base.get().base().map(sources::get);
    }
    return new TestClass(module, source.name(), source.isLengthy(), methods);
  }

  private static List<String> programs(Path root) throws IOException {
    Path folder = root.resolve(FRONTEND);
    if (!Files.exists(folder.resolve("Makefile"))) {
      return List.of();
    }
    Process make =
        new ProcessBuilder("make", "-s", "-C", folder.toString(), "names-of-tests")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    return List.of(new String(make.getInputStream().readAllBytes(), UTF_8).strip().split("\\s+"));
  }
}
