// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * OpenGL programs draw the same through Outboard as on the host's OpenGL directly, bit for bit.
 * Only where the host has OpenGL without a window, as Mesa has on any processor.
 */
final class GlTest {
  private static final Path PROGRAMS = Home.PROGRAMS.resolve("gl");
  private static final String PASSED = "passed\n";

  private static Backend backend;
  private static Backend without;

  @BeforeAll
  static void serve() throws IOException, InterruptedException {
    Program.Ended direct = directly(PROGRAMS.resolve("clear"));
    assumeTrue(direct.status() == 0, "this machine has no OpenGL: " + direct.errors());
    backend = new Backend("software", "--opengl");
    backend.beforeAll(null);
  }

  @AfterAll
  static void end() throws Exception {
    for (Backend one : new Backend[] {backend, without}) {
      if (one != null) {
        one.afterAll(null);
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> imagesAreTheHosts() throws IOException, InterruptedException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Path program : programs()) {
      String images = directly(program).output();
      assertTrue(images.endsWith(PASSED), images);
      for (String endpoint : backend.endpoints()) {
        String name = program.getFileName() + " over " + endpoint.replaceFirst(":.*", "");
        tests.add(dynamicTest(name, () -> draws(images, program, backend.variables(endpoint))));
      }
    }
    return tests.stream();
  }

  private static List<Path> programs() throws IOException {
    try (Stream<Path> files = Files.list(PROGRAMS)) {
      return files.sorted().toList();
    }
  }

  /** The host's library on a processor, as the backend has it. */
  private static Program.Ended directly(Path program) throws IOException, InterruptedException {
    return Program.run(List.of(program.toString()), Map.of("LIBGL_ALWAYS_SOFTWARE", "1"));
  }

  private static Program.Ended remotely(
      Path program, Map<String, String> variables, String... arguments)
      throws IOException, InterruptedException {
    Map<String, String> all = new HashMap<>(variables);
    all.put(
        "__EGL_VENDOR_LIBRARY_FILENAMES", Home.LIBRARIES.resolve("egl/outboard.json").toString());
    return Program.run(
        Stream.concat(Stream.of(program.toString()), Stream.of(arguments)).toList(), all);
  }

  private static void draws(String images, Path program, Map<String, String> variables)
      throws IOException, InterruptedException {
    Program.Ended ended = remotely(program, variables);
    assertEquals(images, ended.output(), ended::toString);
    assertEquals(0, ended.status(), ended::toString);
    assertEquals("", ended.errors());
  }

  /** CUDA's part is the software GPU's, which copies; a GPU shares them. */
  @TestFactory
  Stream<DynamicTest> buffersAndTexturesAreCudasToo() {
    return Stream.of("buffer", "stream", "image", "wrong")
        .flatMap(
            topic ->
                backend.endpoints().stream()
                    .map(
                        endpoint ->
                            dynamicTest(
                                topic + " over " + endpoint.replaceFirst(":.*", ""),
                                () -> passes(topic, backend.variables(endpoint)))));
  }

  private static void passes(String topic, Map<String, String> variables)
      throws IOException, InterruptedException {
    Program.Ended ended = remotely(Home.PROGRAMS.resolve("graphics"), variables, topic);
    assertEquals("ok\n", ended.output(), ended::toString);
    assertEquals("", ended.errors());
  }

  /** The program and the host's library see the same calls and results. */
  @Test
  void bothLogsOfARunAreEqual(@TempDir Path folder) throws IOException, InterruptedException {
    Path log = folder.resolve("log");
    Map<String, String> variables = new HashMap<>(backend.variables(backend.tcp()));
    variables.put("OUTBOARD_LOG", log.toString());
    Program.Ended ended = remotely(PROGRAMS.resolve("triangle"), variables);
    assertTrue(ended.output().endsWith(PASSED), ended::toString);
    List<String> programs = Files.readAllLines(log);
    assertTrue(programs.size() > 100, programs::toString);
    assertEquals(programs, Files.readAllLines(folder.resolve("log.backend")));
  }

  /** Not the host's OpenGL is used then, and nothing is drawn here. */
  @Test
  void withoutTheOptionThereIsNone() throws IOException, InterruptedException {
    without = new Backend();
    without.beforeAll(null);
    Program.Ended ended = remotely(PROGRAMS.resolve("clear"), without.variables(without.tcp()));
    assertEquals(1, ended.status(), ended::toString);
    assertTrue(ended.errors().contains("--opengl"), ended::toString);
  }
}
