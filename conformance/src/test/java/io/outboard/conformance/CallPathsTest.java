// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How many hand-written files a call passes between the program and the driver. A call passes a
 * file of C if one of its functions has been entered and not left when the frame leaves the thread,
 * and a class if one of its methods has been entered and not left when the driver's is entered. The
 * libraries of this test say which functions they enter; a debugger sees the worker's.
 */
final class CallPathsTest {
  private static final int MOST = 6;
  private static final Path FRONTEND = Home.PATH.resolve("frontend");
  private static final Path TRACED = FRONTEND.resolve("target/traced");

  /**
   * Where a thread is done with a frame: a ring has it, a socket that can be made anew, the thread
   * that sends, or else the socket itself.
   */
  private static final List<String> ENDS =
      List.of("channel_write", "lasting_send", "append", "try_write");

  private static final List<String> HOSTS_OPENCL =
      List.of("io.outboard.opencl.OpenClDriverNative", "io.outboard.opencl.vendor.*");

  /** A call of a program, and the calls of the driver that it may become. */
  private record Case(String program, String function, List<String> calls) {}

  private static final List<Case> CUDA =
      List.of(
          new Case(
              "driver/vectorAdd",
              "cuMemcpyHtoD_v2",
              List.of("cuMemcpyHtoD_v2", "cuMemcpyHtoDAsync_v2", "outboardCopyFromHost")),
          new Case("driver/vectorAdd", "cuLaunchKernel", List.of("cuLaunchKernel")));

  private static final List<Case> OPENCL =
      List.of(
          new Case(
              "opencl/vectorAdd",
              "clEnqueueReadBuffer",
              List.of("clEnqueueReadBuffer", "outboardRead", "map")));

  @TempDir private Path folder;

  /** One build, as for a sanitizer: it is made again only where a source is newer. */
  @BeforeAll
  static void buildTracedLibraries() throws IOException, InterruptedException {
    Program.Ended made =
        Program.run(
            List.of(
                "make",
                "-s",
                "-j2",
                "-C",
                FRONTEND.toString(),
                "libraries",
                "OUT=target/traced",
                "CFLAGS=-O0 -g -finstrument-functions"),
            Map.of(),
            Duration.ofMinutes(5));
    assertEquals(0, made.status(), made::toString);
  }

  @Test
  void callsOfCudaPassFewFilesAndClasses() throws Exception {
    check("software", List.of("io.outboard.softgpu.call.*"), CUDA);
  }

  @Test
  void callsOfOpenClPassFewFilesAndClasses() throws Exception {
    HostsOpenCl.assumePresent();
    check("opencl", HOSTS_OPENCL, OPENCL);
  }

  private void check(String device, List<String> drivers, List<Case> cases) throws Exception {
    Set<String> calls =
        cases.stream().flatMap(one -> one.calls().stream()).collect(Collectors.toSet());
    try (DriverStacks stacks = new DriverStacks(drivers, calls)) {
      Backend backend = new Backend(temporary -> watched(temporary, stacks), device);
      backend.beforeAll(null);
      try {
        for (String endpoint : backend.endpoints()) {
          for (Case one : cases) {
            stacks.forget();
            check(one, run(one, backend.variables(endpoint)), stacks, endpoint);
          }
        }
      } finally {
        backend.afterAll(null);
      }
    }
  }

  private static List<String> watched(Path temporary, DriverStacks stacks) {
    List<String> words = new ArrayList<>(Backend.fromSources(temporary));
    words.replaceAll(
        word -> word.equals(StartUp.ofWorkers()) ? word + "\n" + stacks.option() : word);
    assertTrue(words.stream().anyMatch(word -> word.endsWith(stacks.option())), words::toString);
    return words;
  }

  private FunctionTrace run(Case one, Map<String, String> variables)
      throws IOException, InterruptedException {
    Path file = Files.createTempFile(folder, "functions", "");
    Map<String, String> traced = new HashMap<>(variables);
    traced.put("LD_LIBRARY_PATH", TRACED.resolve("lib/opencl") + ":" + TRACED.resolve("lib"));
    traced.put("LD_PRELOAD", Home.PROGRAMS.resolve("trace/libtrace.so").toString());
    traced.put("OUTBOARD_FUNCTIONS", file.toString());
    String program = Home.EXAMPLES.resolve(one.program()).toString();
    Program.Ended ended = Program.run(List.of(program), traced);
    assertEquals(0, ended.status(), ended::toString);
    return FunctionTrace.read(file);
  }

  private static void check(Case one, FunctionTrace trace, DriverStacks stacks, String endpoint)
      throws IOException {
    String name = one.function() + " over " + endpoint.replaceFirst(":.*", "") + ": ";
    Set<Path> files = FunctionTrace.filesBelow(FRONTEND, path(one, trace));
    Set<String> classes = classes(one, stacks);
    assertFalse(files.isEmpty(), name + "no frame was sent");
    assertFalse(classes.isEmpty(), name + "no driver was called");
    assertTrue(files.size() <= MOST, () -> name + files);
    assertTrue(classes.size() <= MOST, () -> name + classes);
    if (endpoint.startsWith("shm:")) {
      String walk = walk(one, files, classes);
      assertTrue(architecture().contains(walk), () -> "ARCHITECTURE.md lacks: " + walk);
    }
  }

  private static String architecture() throws IOException {
    return Files.readString(Home.PATH.resolve("ARCHITECTURE.md")).replaceAll("\\s+", " ");
  }

  /** How the document has a path. */
  private static String walk(Case one, Set<Path> files, Set<String> classes) {
    return "* `%s`: %s; %s."
        .formatted(
            one.function().replaceFirst("_v2$", ""),
            list(files.stream().map(Path::toString)),
            list(classes.stream().map(name -> name.replaceFirst(".*\\.", ""))));
  }

  private static String list(Stream<String> names) {
    return names.map(name -> "`" + name + "`").collect(Collectors.joining(", "));
  }

  private static List<FunctionTrace.Function> path(Case one, FunctionTrace trace) {
    return ENDS.stream()
        .map(end -> trace.path(one.function(), end))
        .filter(path -> !path.isEmpty())
        .findFirst()
        .orElse(List.of());
  }

  private static Set<String> classes(Case one, DriverStacks stacks) {
    return one.calls().stream()
        .map(stacks::of)
        .filter(stack -> !stack.isEmpty())
        .findFirst()
        .orElse(List.of())
        .stream()
        .map(CallPathsTest::outer)
        .filter(CallPathsTest::isWritten)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static String outer(String name) {
    return name.replaceFirst("\\$.*", "");
  }

  /** Not generated, and not of the Java platform. */
  private static boolean isWritten(String name) {
    String file = "src/main/java/" + name.replace('.', '/') + ".java";
    return Stream.of("wire", "communicator", "cuda", "opencl", "softgpu", "backend")
        .anyMatch(module -> Files.exists(Home.PATH.resolve(module).resolve(file)));
  }
}
