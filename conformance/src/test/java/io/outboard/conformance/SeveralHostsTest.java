// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** One program on the devices of two backends, which stand for two hosts. */
final class SeveralHostsTest {
  private static final Backend FAR = new Backend("software", "--grace=0");
  private static final Backend ONE = new Backend("software:2", "--grace=0");
  private static final String[] TOPICS = {
    "multi", "copies", "random", "events", "graphs", "rest", "libraries"
  };

  private static Backend near;

  @BeforeAll
  static void start() throws IOException {
    FAR.beforeAll(null);
    ONE.beforeAll(null);
    near = joining(FAR.tcp(), FAR);
    near.beforeAll(null);
  }

  @AfterAll
  static void end() throws IOException, InterruptedException {
    near.afterAll(null);
    ONE.afterAll(null);
    FAR.afterAll(null);
  }

  private static Backend joining(String endpoint, Backend other) {
    Path token = other.folder().resolve("outboard/token");
    return new Backend("software", "--grace=0", "--join=" + endpoint, "--join-token-file=" + token);
  }

  /** The devices of one host say what is right. */
  @TestFactory
  Stream<DynamicTest> doWhatThoseOfOneDo() throws IOException {
    List<String> first = ONE.endpoints().subList(0, 1);
    return Stream.concat(
        Cases.over(first, ONE, "severalHosts", TOPICS),
        Cases.overAll(near, "severalHosts", withApart(TOPICS)));
  }

  /** What is true of devices of several hosts alone. */
  private static String[] withApart(String... topics) {
    return Stream.concat(Stream.of(topics), Stream.of("apart")).toArray(String[]::new);
  }

  /** The only device that the program sees is the other host's. */
  @TestFactory
  Stream<DynamicTest> oneOfThemServesAlone() throws IOException {
    return Stream.of(
            onFar("boundary", "function-in-graph", "pools", "cooperative"),
            onFar("nodes", "changes", "host-copies", "objects"),
            onFar(
                "relays",
                "added",
                "boxes",
                "captured",
                "changed",
                "renewed",
                "among-functions",
                "ended"),
            onFar("settings", "kernels"),
            onFar("state", "other-threads-stream"),
            onFar("transfer", "page-locked-as-a-devices", "wrong"))
        .flatMap(each -> each);
  }

  /** Nothing records there, and a profiler is told so, once. */
  @Test
  void whatTheyDoHasNoRecords() throws IOException, InterruptedException {
    String program = Home.PROGRAMS.resolve("profiler").toString();
    Program.Ended ended =
        Program.run(List.of(program, "unseen", "unseen"), onFar(near.endpoints().getFirst()));
    assertEquals("ok\nok\n", ended.output(), ended::errors);
    assertEquals(1, ended.errors().lines().count(), ended::errors);
    assertTrue(ended.errors().contains("GPUs of joined hosts"), ended::errors);
  }

  private static Stream<DynamicTest> onFar(String program, String... names) throws IOException {
    Map<String, String> variables = onFar(near.endpoints().getFirst());
    return Cases.with(variables, "another host", program, names);
  }

  private static Map<String, String> onFar(String endpoint) throws IOException {
    Map<String, String> variables = new HashMap<>(near.variables(endpoint));
    variables.put("CUDA_VISIBLE_DEVICES", "1");
    return variables;
  }

  /** With and without connections for bulk data. */
  @Test
  void aCopyThatWaitsHoldsNobodyUp() throws IOException, InterruptedException {
    Turns<String> connectionsInTurn = new Turns<>(List.of("0", "3"));
    for (String endpoint : near.endpoints()) {
      for (String connections : connectionsInTurn.next()) {
        Map<String, String> variables = onFar(endpoint);
        variables.put("OUTBOARD_BULK", connections);
        Program.prints("ok", "transfer", "behind-a-wait", variables);
      }
    }
  }

  private static Program.Ended command(Map<String, String> variables, String... words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(Backend.fromSources(near.folder()));
    command.addAll(List.of(words));
    return Program.run(command, variables);
  }

  @Test
  void areListedWithTheirHosts() throws IOException, InterruptedException {
    Program.Ended listed = command(near.variables(near.tcp()), "devices");
    List<String> rows = listed.output().lines().skip(2).toList();
    assertEquals(2, rows.size(), listed::toString);
    assertFalse(rows.getFirst().contains("tcp://"), listed::toString);
    assertTrue(rows.getLast().endsWith(FAR.tcp()), listed::toString);
  }

  /** The management library tells of each device what it tells where that is alone. */
  @Test
  void areManagedInTheSameOrder() throws IOException, InterruptedException {
    Map<String, String> variables = near.variables(near.endpoints().getFirst());
    Program.Ended both =
        Program.run(List.of(Home.PROGRAMS.resolve("nvml").toString(), "same-devices"), variables);
    assertEquals("ok", both.output().strip(), both::toString);
  }

  private static String refusal(Backend backend) throws IOException, InterruptedException {
    String why = assertThrows(IOException.class, () -> backend.beforeAll(null)).getMessage();
    backend.afterAll(null);
    return why;
  }

  @Test
  void areRefusedTwiceAndInARow() throws IOException, InterruptedException {
    String there = "--join=" + FAR.tcp();
    String token = "--join-token-file=" + FAR.folder().resolve("outboard/token");
    String again = there.replace("127.0.0.1", "localhost");
    String twice = refusal(new Backend("software", there, again, token));
    assertTrue(twice.contains("which cannot be joined again"), twice);
    String router = refusal(joining(near.tcp(), near));
    assertTrue(router.contains("it has joined others itself"), router);
    String stranger = refusal(joining(FAR.tcp(), ONE));
    assertTrue(stranger.contains("--join " + FAR.tcp()), stranger);
  }

  /** One that cannot be reached has no part; the others' devices are served. */
  @Test
  void oneThatIsNotThereIsLeftOut() throws IOException, InterruptedException {
    Backend alone = joining("tcp://127.0.0.1:1", FAR);
    alone.beforeAll(null);
    try {
      Program.Ended listed = command(alone.variables(alone.tcp()), "devices");
      assertEquals(3, listed.output().lines().count(), listed::toString);
      assertTrue(alone.log().contains("cannot be joined now"), alone.log());
    } finally {
      alone.afterAll(null);
    }
  }

  /** The other backend's worker is killed while both devices work, after a random time. */
  @Test
  void aLostHostIsAnErrorOfItsDevices() throws IOException, InterruptedException {
    Random random = new Random(47);
    for (String endpoint : near.endpoints()) {
      loseOne(near.variables(endpoint), random.nextInt(300));
    }
  }

  /** The program that runs has lost its devices; the next one has them again. */
  @Test
  void oneThatRestartsServesTheNextProgram() throws IOException, InterruptedException {
    Map<String, String> variables = near.variables(near.endpoints().getFirst());
    lose(
        variables,
        _ -> {
          FAR.daemon().destroy();
          FAR.daemon().onExit().join();
        });
    Program.Ended without = command(near.variables(near.tcp()), "devices");
    assertEquals(3, without.output().lines().count(), without::toString);
    FAR.startAgain();
    Program.prints("ok", "severalHosts", "multi", variables);
  }

  private static void loseOne(Map<String, String> variables, int afterMs)
      throws IOException, InterruptedException {
    lose(
        variables,
        program -> {
          TimeUnit.MILLISECONDS.sleep(afterMs);
          FAR.worker(program).destroyForcibly();
        });
  }

  /** A fault of the other host while a program works there. */
  private interface Loss {
    void of(ProcessHandle program) throws IOException, InterruptedException;
  }

  private static void lose(Map<String, String> variables, Loss loss)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(Home.PROGRAMS.resolve("severalHosts").toString(), "lost")
            .redirectErrorStream(true);
    Program.setVariables(builder, variables);
    Process program = builder.start();
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(program.getInputStream(), UTF_8));
    assertEquals("ready", lines.readLine());
    loss.of(program.toHandle());
    List<String> said = lines.lines().toList();
    assertEquals(0, Patience.exit(program, said::toString), said::toString);
    assertEquals("ok", said.getLast(), said::toString);
    assertTrue(said.toString().contains("is lost"), said::toString);
  }
}
