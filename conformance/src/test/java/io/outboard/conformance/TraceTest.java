// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Traces and reports of programs: both sides saw the same calls, in the same order. */
final class TraceTest {
  private static final int PROGRAM = 1;
  private static final int BACKEND_SIDE = 2;

  @RegisterExtension static final Backend BACKEND = new Backend();

  @TempDir Path folder;

  @TestFactory
  Stream<DynamicTest> bothSidesSawTheSame() throws IOException {
    return BACKEND.endpoints().stream()
        .flatMap(
            endpoint ->
                Stream.of("vectorAdd", "histogram")
                    .map(
                        program ->
                            dynamicTest(
                                program + " over " + scheme(endpoint),
                                () -> check(program, endpoint))));
  }

  private static String scheme(String endpoint) {
    return endpoint.replaceFirst(":.*", "");
  }

  private void check(String program, String endpoint) throws IOException, InterruptedException {
    Path file = folder.resolve(program + scheme(endpoint) + ".json");
    Program.Ended ended = run(program, endpoint, Map.of("OUTBOARD_TRACE", file.toString()));
    assertEquals("", ended.errors());
    JsonNode events = new ObjectMapper().readTree(file.toFile());
    Map<Long, JsonNode> here = bySequence(events, PROGRAM);
    Map<Long, JsonNode> backend = bySequence(events, BACKEND_SIDE);
    assertFalse(here.isEmpty());
    assertEquals(names(here), names(backend));
    here.forEach((sequence, call) -> assertWithin(call, backend.get(sequence)));
  }

  /** An answered call runs on the backend while the program waits, and both see its result. */
  private static void assertWithin(JsonNode call, JsonNode there) {
    if (call.at("/args/answered").asBoolean()) {
      assertEquals(call.at("/args/result"), there.at("/args/result"), call::toString);
      assertTrue(begin(call) <= begin(there) && end(there) <= end(call), () -> call + " " + there);
    }
  }

  /** Each piece of work has a track's place, and an arrow from the call that asked for it. */
  @TestFactory
  Stream<DynamicTest> devicesHaveTracksOfTheirOwn() throws IOException {
    return BACKEND.endpoints().stream()
        .map(endpoint -> dynamicTest("over " + scheme(endpoint), () -> checkDevice(endpoint)));
  }

  private void checkDevice(String endpoint) throws IOException, InterruptedException {
    Path file = folder.resolve("device" + scheme(endpoint) + ".json");
    run("vectorAdd", endpoint, Map.of("OUTBOARD_TRACE", file.toString()));
    JsonNode events = new ObjectMapper().readTree(file.toFile());
    List<JsonNode> work = of(events, event -> phase(event, "X") && event.get("pid").asInt() >= 3);
    assertEquals(
        List.of("Memcpy HtoD", "Memcpy HtoD", "vectorAdd", "Memcpy DtoH"),
        work.stream().map(event -> event.get("name").asText()).toList());
    assertEquals("[196,1,1]", work.get(2).at("/args/grid").toString());
    assertEquals(200_000, work.get(0).at("/args/bytes").asInt());
    Map<Long, JsonNode> calls = bySequence(events, PROGRAM);
    List<JsonNode> starts = of(events, event -> phase(event, "s"));
    List<JsonNode> ends = of(events, event -> phase(event, "f"));
    double over =
        of(events, event -> phase(event, "X")).stream()
            .mapToDouble(TraceTest::end)
            .max()
            .orElseThrow();
    for (int i = 0; i < work.size(); i++) {
      JsonNode call = calls.get(work.get(i).at("/args/sequence").asLong());
      assertEquals(call.get("ts"), starts.get(i).get("ts"));
      assertEquals(call.get("tid"), starts.get(i).get("tid"));
      assertEquals(work.get(i).get("ts"), ends.get(i).get("ts"));
      assertTrue(begin(call) <= begin(work.get(i)) && end(work.get(i)) <= over, call::toString);
    }
    assertEquals(
        "cuLaunchKernel",
        calls.get(work.get(2).at("/args/sequence").asLong()).get("name").asText());
    assertEquals(
        List.of("GPU 0", "stream 7"),
        of(events, event -> phase(event, "M") && event.get("pid").asInt() >= 3).stream()
            .map(event -> event.at("/args/name").asText())
            .toList());
  }

  private static boolean phase(JsonNode event, String phase) {
    return event.get("ph").asText().equals(phase);
  }

  private static List<JsonNode> of(JsonNode events, Predicate<JsonNode> wanted) {
    return StreamSupport.stream(events.spliterator(), false).filter(wanted).toList();
  }

  private static double begin(JsonNode event) {
    return event.get("ts").asDouble();
  }

  private static double end(JsonNode event) {
    return begin(event) + event.get("dur").asDouble() + 0.01;
  }

  private static List<String> names(Map<Long, JsonNode> calls) {
    return calls.values().stream().map(call -> call.get("name").asText()).toList();
  }

  private static Map<Long, JsonNode> bySequence(JsonNode events, int side) {
    Predicate<JsonNode> travelled =
        event ->
            event.get("ph").asText().equals("X")
                && event.get("pid").asInt() == side
                && event.at("/args/sequence").asLong() > 0;
    Map<Long, JsonNode> calls = new TreeMap<>();
    StreamSupport.stream(events.spliterator(), false)
        .filter(travelled)
        .forEach(event -> calls.put(event.at("/args/sequence").asLong(), event));
    return calls;
  }

  @Test
  void aReportCountsCallsAndRoundTrips() throws IOException, InterruptedException {
    Program.Ended ended =
        run("vectorAdd", BACKEND.endpoints().getFirst(), Map.of("OUTBOARD_REPORT", "1"));
    List<String> lines = ended.errors().lines().toList();
    assertTrue(lines.contains(line(lines, "cuMemAlloc_v2", 3, 3)), ended::errors);
    assertTrue(lines.contains(line(lines, "cuLaunchKernel", 1, 0)), ended::errors);
  }

  private static String line(List<String> lines, String function, int calls, int trips) {
    String pattern = function + " +" + calls + " +" + trips + " .*";
    return lines.stream().filter(line -> line.matches(pattern)).findFirst().orElse(pattern);
  }

  @Test
  void aTraceThatCannotBeWrittenHindersNothing() throws IOException, InterruptedException {
    Program.Ended ended =
        run("vectorAdd", BACKEND.endpoints().getFirst(), Map.of("OUTBOARD_TRACE", "/nowhere/t"));
    assertTrue(ended.errors().contains("no trace: cannot write /nowhere/t"), ended::errors);
  }

  private static Program.Ended run(String program, String endpoint, Map<String, String> more)
      throws IOException, InterruptedException {
    Map<String, String> variables = new HashMap<>(BACKEND.variables(endpoint));
    variables.putAll(more);
    Program.Ended ended =
        Program.run(
            List.of(Home.EXAMPLES.resolve("driver").resolve(program).toString()), variables);
    assertEquals(0, ended.status(), ended::toString);
    return ended;
  }
}
