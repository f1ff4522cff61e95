// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs with CUDA runtimes of other versions than that of the toolkit: with those that are on
 * this machine, in its usual folders or in those of {@code -Doutboard.cudart=FOLDER:…}; see {@code
 * docs/runtimes.md}.
 */
final class OlderRuntimesTest {
  private static final String FOLDERS =
      System.getProperty("outboard.cudart", "/usr/lib/x86_64-linux-gnu:/usr/lib64");
  private static final Path OBJECTS = Home.EXAMPLES.resolve("runtime-objects");

  @RegisterExtension static final Backend BACKEND = new Backend();

  @TempDir private Path folder;

  @TestFactory
  Stream<DynamicTest> programsRun() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    Set<Path> runtimes = runtimes();
    for (Path object : objects()) {
      runtimes.forEach(runtime -> tests.add(test(object, runtime)));
    }
    if (tests.isEmpty()) {
      tests.add(dynamicTest("no runtime", () -> assumeFalse(true, why(runtimes))));
    }
    return tests.stream();
  }

  private static String why(Set<Path> runtimes) {
    return runtimes.isEmpty()
        ? "no libcudart in " + FOLDERS + "; say -Doutboard.cudart=FOLDER"
        : "the examples' objects are not built: they want clang-19 and a CUDA toolkit";
  }

  private static List<Path> objects() throws IOException {
    if (!Files.isDirectory(OBJECTS)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(OBJECTS)) {
      return files.filter(file -> file.toString().endsWith(".o")).sorted().toList();
    }
  }

  /** The files, each once, whatever links there are to them. */
  private static Set<Path> runtimes() throws IOException {
    Map<Path, Path> found = new TreeMap<>();
    for (String name : FOLDERS.split(":", -1)) {
      try (Stream<Path> files =
          Files.isDirectory(Path.of(name)) ? Files.list(Path.of(name)) : Stream.empty()) {
        for (Path file : files.filter(OlderRuntimesTest::isRuntime).sorted().toList()) {
          found.put(file.toRealPath(), file);
        }
      }
    }
    return found.keySet();
  }

  private static boolean isRuntime(Path file) {
    return file.getFileName().toString().matches("libcudart(\\.so\\..*|_static.*\\.a)");
  }

  private DynamicTest test(Path object, Path runtime) {
    String name = object.getFileName() + " with " + runtime.getFileName();
    return dynamicTest(name, () -> check(object, runtime));
  }

  private void check(Path object, Path runtime) throws IOException, InterruptedException {
    Path program = folder.resolve("program");
    Program.Ended linked =
        Program.run(
            List.of(
                "g++",
                "-o",
                program.toString(),
                object.toString(),
                runtime.toString(),
                "-Wl,-rpath," + runtime.getParent(),
                "-ldl",
                "-lpthread",
                "-lrt"),
            Map.of());
    assertEquals(0, linked.status(), linked::toString);
    Program.Ended ended =
        Program.run(List.of(program.toString()), BACKEND.variables(BACKEND.endpoints().getFirst()));
    assertEquals(0, ended.status(), ended::toString);
    assertEquals("", ended.errors());
    String example = object.getFileName().toString().replace(".o", "");
    assertTrue(ended.output().contains(example + ": PASSED"), ended::toString);
  }

  /** Functions that these runtimes ask for when they start, as seen at {@code cuGetProcAddress}. */
  @ParameterizedTest
  @ValueSource(strings = {"11.8", "12.4", "13.0"})
  void everyFunctionThatARuntimeAsksForIsFound(String version)
      throws IOException, InterruptedException {
    Path asked = folder.resolve("asked");
    try (var list = getClass().getResourceAsStream("/lookups/cudart-" + version + ".txt")) {
      assumeTrue(list != null);
      Files.write(asked, list.readAllBytes());
    }
    ProcessBuilder builder =
        new ProcessBuilder(Home.PROGRAMS.resolve("lookups").toString())
            .redirectInput(new File(asked.toString()))
            .redirectErrorStream(true);
    Program.setVariables(builder, BACKEND.variables(BACKEND.endpoints().getFirst()));
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    assertEquals("ok\n", text);
  }
}
