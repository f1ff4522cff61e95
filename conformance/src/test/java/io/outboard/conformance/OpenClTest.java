// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.outboard.testkit.Amount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The OpenCL examples on the host's own OpenCL, through Outboard as a library of the host's loader
 * and as a whole one, with {@code -Dlong} directly too. Only where the host has an OpenCL device.
 */
final class OpenClTest {
  private static final Path FIRST = Home.EXAMPLES.resolve("opencl/vectorAdd");
  private static final Path LIBRARIES = Home.LIBRARIES.resolve("opencl");
  private static final String PASSED = ": passed\n";

  /** They show bytes, ends of waits and texts, which communicators carry in ways of their own. */
  private static final String[] EVERYWHERE = {
    "events", "images", "largeTransfers", "prints", "sharedMemory", "transfers"
  };

  private static Backend backend;

  @BeforeAll
  static void serve() throws IOException, InterruptedException {
    backend = HostsOpenCl.serve();
  }

  @AfterAll
  static void end() throws Exception {
    if (backend != null) {
      backend.afterAll(null);
    }
  }

  @TestFactory
  Stream<DynamicTest> examplesPass() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    Turns<String> communicators = new Turns<>(backend.endpoints(), EVERYWHERE);
    for (Path program : Home.examples("opencl").toList()) {
      String name = program.getFileName().toString();
      for (String endpoint : communicators.of(name)) {
        Map<String, String> loader = backend.variables(endpoint);
        String medium = endpoint.replaceFirst(":.*", "");
        tests.add(dynamicTest(name + " over " + medium, () -> passes(program, asVendors(loader))));
      }
    }
    assertTrue(tests.size() > 10, "the examples are not built");
    return tests.stream();
  }

  /** Whether they are right has nothing to do with Outboard. */
  @TestFactory
  @Tag("long")
  Stream<DynamicTest> examplesPassDirectly() throws IOException {
    return Home.examples("opencl")
        .map(
            program ->
                dynamicTest(program.getFileName().toString(), () -> passes(program, Map.of())));
  }

  /** The loader has no part in what travels: in each build a program over each communicator. */
  @TestFactory
  Stream<DynamicTest> examplesPassWithoutALoader() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    List<Path> programs = Home.examples("opencl").toList();
    for (String endpoint : backend.endpoints()) {
      Map<String, String> whole = asWhole(backend.variables(endpoint));
      String medium = endpoint.replaceFirst(":.*", "");
      for (Path program : programs.subList(0, Amount.of(1, programs.size()))) {
        String name = program.getFileName().toString();
        tests.add(dynamicTest(name + " over " + medium, () -> passes(program, whole)));
      }
    }
    return tests.stream();
  }

  /** Over connections of their own, which this machine might have too few processors for. */
  @TestFactory
  Stream<DynamicTest> muchDataMovesOverSeveralConnections() {
    return backend.endpoints().stream()
        .filter(endpoint -> !endpoint.startsWith("shm:"))
        .flatMap(
            endpoint ->
                Stream.of("largeTransfers", "largeImages", "transfers")
                    .limit(Amount.of(1, 3))
                    .map(
                        name ->
                            dynamicTest(
                                name + " over " + endpoint.replaceFirst(":.*", ""),
                                () -> movesMuch(name, endpoint))));
  }

  private static void movesMuch(String name, String endpoint)
      throws IOException, InterruptedException {
    Map<String, String> variables = new HashMap<>(asVendors(backend.variables(endpoint)));
    variables.put("OUTBOARD_BULK", "3");
    passes(Home.EXAMPLES.resolve("opencl/" + name), variables);
  }

  /** Has the host's loader open the library. */
  private static Map<String, String> asVendors(Map<String, String> variables) {
    Map<String, String> all = new HashMap<>(variables);
    all.put("OCL_ICD_VENDORS", LIBRARIES.resolve("vendors").toString());
    return all;
  }

  /** Has the program open the library in the loader's place. */
  private static Map<String, String> asWhole(Map<String, String> variables) {
    Map<String, String> all = new HashMap<>(variables);
    all.put("LD_LIBRARY_PATH", LIBRARIES.toString());
    return all;
  }

  private static void passes(Path program, Map<String, String> variables)
      throws IOException, InterruptedException {
    Program.Ended ended = Program.run(List.of(program.toString()), variables);
    assertTrue(ended.output().endsWith(PASSED), ended::toString);
    assertEquals(0, ended.status(), ended::toString);
  }

  /** The program and the backend's host library see the same requests and results. */
  @Test
  void bothLogsOfARunAreEqual(@TempDir Path folder) throws IOException, InterruptedException {
    Path log = folder.resolve("log");
    Map<String, String> variables = new HashMap<>();
    variables.putAll(asVendors(backend.variables(backend.tcp())));
    variables.put("OUTBOARD_LOG", log.toString());
    passes(Home.EXAMPLES.resolve("opencl/events"), variables);
    List<String> program = inOrder(log);
    assertTrue(program.size() > 40, program::toString);
    assertEquals(program, inOrder(folder.resolve("log.backend")));
  }

  /**
   * Kernel arguments that are set already are not sent again. Calls that cannot fail, and copies
   * that must be right, wait for no answer; times come with the end of a wait.
   */
  @Test
  void whatIsSurelyRightIsNotAnswered() throws IOException, InterruptedException {
    Map<String, String> counts =
        Map.of(
            "outboardSetKernelObject", "3 of 62",
            "clSetKernelArg", "10 of 95",
            "clEnqueueCopyBuffer", "1 of 21",
            "clEnqueueWriteBuffer", "1 of 21",
            "clGetEventProfilingInfo", "5 of 5",
            "outboardWaitTimed", "19 of 19",
            "outboardRead", "24 of 24");
    answers("opencl/arguments", counts);
  }

  /**
   * A kernel begins with what the one before of its function has learnt: only the first one's calls
   * are answered, the wrong ones, and questions that depend on the arguments.
   */
  @Test
  void kernelsOfAFunctionLearnFromEachOther() throws IOException, InterruptedException {
    Map<String, String> counts =
        Map.of(
            "outboardCreateKernel", "5 of 46",
            "clEnqueueNDRangeKernel", "22 of 63",
            "clSetKernelArg", "8 of 27",
            "clGetKernelInfo", "3 of 3",
            "clGetKernelWorkGroupInfo", "8 of 8");
    answers("opencl/kernels", counts);
  }

  /** Memory of both sides is for what the program looks at; of the other steps' only the first. */
  @Test
  void buffersThatOnlyTheDeviceSeesAreTheDevices() throws IOException, InterruptedException {
    Map<String, String> counts =
        Map.of("outboardCreateSharedBuffer", "3 of 3", "clCreateBuffer", "10 of 10");
    answers("opencl/temporaries", backend.endpoints().getFirst(), counts);
  }

  private void answers(String example, Map<String, String> counts)
      throws IOException, InterruptedException {
    answers(example, backend.tcp(), counts);
  }

  /** Holds how many calls of which functions an example makes, and how many wait for an answer. */
  private void answers(String example, String endpoint, Map<String, String> counts)
      throws IOException, InterruptedException {
    String report = report(example, endpoint);
    Map<String, String> seen =
        counts.keySet().stream().collect(toMap(name -> name, name -> answered(report, name)));
    assertEquals(counts, seen, report);
  }

  private String report(String example, String endpoint) throws IOException, InterruptedException {
    Map<String, String> variables = new HashMap<>(asVendors(backend.variables(endpoint)));
    variables.put("OUTBOARD_REPORT", "1");
    return Program.run(List.of(Home.EXAMPLES.resolve(example).toString()), variables).errors();
  }

  /** Of a function's calls. */
  private static String answered(String report, String name) {
    Matcher line = line(report, name);
    return line.find() ? line.group(2) + " of " + line.group(1) : "none";
  }

  private static Matcher line(String report, String name) {
    return Pattern.compile("\\b" + name + " +(\\d+) +(\\d+)").matcher(report);
  }

  private static List<String> inOrder(Path log) throws IOException {
    return Files.readAllLines(log).stream()
        .sorted(Comparator.comparing(line -> Long.valueOf(line.split(" ", 2)[0])))
        .toList();
  }

  /** Without a backend the loader finds no platform of ours; one line says why. */
  @Test
  void withoutABackendThereIsNoPlatform() throws IOException, InterruptedException {
    Map<String, String> nowhere =
        asVendors(
            Map.of("OUTBOARD", "unix:/nowhere", "LD_LIBRARY_PATH", Home.LIBRARIES.toString()));
    Program.Ended ended = Program.run(List.of(FIRST.toString()), nowhere);
    List<String> lines = ended.errors().lines().toList();
    assertEquals(2, lines.size(), ended::toString);
    assertTrue(lines.getFirst().startsWith("outboard: cannot use the backend unix:/nowhere"));
    assertTrue(lines.getLast().endsWith("error -1001"), ended::toString);
  }
}
