// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.bench.gpu.table.Tables;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The order of runs and what becomes of them, with the shell as the program. */
class RoundsTest {
  private static final Way NATIVE = Way.plain();
  private static final Way SLOW = new Way("shm", List.of("env", "COST=4"), Map.of("LINK", "x"));
  private static final Duration LONG = Patience.LIMIT;

  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("results.json");
  }

  private Results measure(Duration most, int pairs, Piece... pieces)
      throws IOException, InterruptedException {
    Results results = new Results("a machine", file());
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    new Rounds(results, pairs, most, nowhere)
        .run(pieces[0].group(), List.of(pieces), List.of(NATIVE, SLOW));
    return results;
  }

  private static Piece shell(Group group, Reading reading, String script) {
    return new Piece(group, "shell", List.of("sh", "-c", script), reading, LONG);
  }

  @Test
  void runsInPairsAndComparesThem() throws Exception {
    Piece piece =
        shell(
            Group.MICRO,
            Reading.LINES,
            "echo '{\"figure\":\"launch_wait_p50\",\"value\":'${COST:-2}'}'");
    Results results = measure(LONG, 3, piece);
    List<String> order =
        results.of(Group.MICRO).stream().map(run -> run.round() + " " + run.way()).toList();
    assertEquals(List.of("1 native", "1 shm", "2 native", "2 shm", "3 native", "3 shm"), order);
    String tables = new Tables(Results.read(List.of(file()))).render();
    assertEquals(
        """
        a machine

        ## Figures

        | figure | native | shm |
        | --- | --- | --- |
        | launch and synchronise, p50, µs | 2.00 | 4.00; 2.00× (2.00–2.00); met ≤ 10 |

        """,
        tables);
  }

  @Test
  void aFailureIsSaidAndNotTriedForEver() throws Exception {
    Piece piece =
        shell(Group.MICRO, Reading.LINES, "test -z \"$LINK\" || { echo no >&2; exit 3; }");
    Results results = measure(LONG, 5, piece);
    assertEquals(2, results.failures(piece, SLOW));
    assertEquals(0, results.failures(piece, NATIVE));
    String tables = new Tables(results).render();
    assertTrue(tables.contains("* micro, shell, shm: status 3: no\n"), tables);
  }

  @Test
  void aFailureAfterFiguresIsTriedAgain() throws Exception {
    Piece piece =
        shell(
            Group.MICRO, Reading.LINES, "echo '{\"figure\":\"malloc_free\",\"value\":1}'; exit 1");
    assertEquals(6, measure(LONG, 3, piece).of(Group.MICRO).size());
  }

  @Test
  void whoRunsTooLongIsKilledAndKeepsWhatItMeasured() throws Exception {
    Piece piece =
        new Piece(
            Group.MICRO,
            "shell",
            List.of("sh", "-c", "echo '{\"figure\":\"malloc_free\",\"value\":1}'; sleep 100"),
            Reading.LINES,
            Patience.of(Duration.ofSeconds(2)));
    Run run = piece.run(1, NATIVE, LONG);
    assertEquals(Map.of("malloc_free", 1.0), run.figures());
    assertTrue(run.failure().startsWith("killed after"), run.failure());
  }

  @Test
  void aProgramThatIsNotThereIsAFailure() throws Exception {
    Piece piece = new Piece(Group.WRONG, "gone", List.of("/nothing/there"), Reading.TEXT, LONG);
    assertTrue(piece.run(1, NATIVE, LONG).failure().startsWith("status 127"));
  }

  @Test
  void aProgramThatPrintsNonsenseIsAFailure() throws Exception {
    Piece piece = shell(Group.MICRO, Reading.LINES, "echo why >&2; echo '{\"figure\":\"x\",,}'");
    Run run = piece.run(1, NATIVE, LONG);
    assertTrue(run.failure().contains("{\"figure\":\"x\",,}"), run.failure());
    assertEquals(Map.of("standard error", "why"), run.notes());
  }

  @Test
  void withoutTimeNothingIsRun() throws Exception {
    Results results = measure(Duration.ofSeconds(-1), 3, shell(Group.MICRO, Reading.LINES, ":"));
    assertEquals(List.of(), results.of(Group.MICRO));
  }

  @Test
  void resultsAreInTheFileAfterEachRun() throws Exception {
    Piece piece =
        shell(
            Group.FIDELITY,
            Reading.LINES,
            "cat %s >%s 2>&1; echo '{\"figure\":\"loss 1\",\"note\":\"'${COST:-2}'\"}'"
                .formatted(file(), folder.resolve("seen")));
    Results results = measure(LONG, 3, piece);
    assertEquals(1, Results.read(List.of(folder.resolve("seen"))).of(Group.FIDELITY).size());
    assertEquals(2, results.of(Group.FIDELITY).size());
    String tables = new Tables(results).render();
    assertTrue(tables.contains("| shell | shm | **differs** at loss 1: 2, 4 |"), tables);
  }

  @Test
  void roundTripsAreCountedOverOutboardAlone() throws Exception {
    String report =
        """
        printf 'outboard: process 1, libcuda.so.1: calls\\ncuInit %s %s 1 1 1 1\\n' $COST $COST >&2
        """;
    Files.writeString(folder.resolve("report"), report);
    Piece piece = shell(Group.TRIPS, Reading.REPORT, ". " + folder.resolve("report"));
    Piece named = new Piece(Group.TRIPS, "work/1", piece.command(), Reading.REPORT, LONG);
    Results results = measure(LONG, 3, named);
    assertEquals(1, results.of(Group.TRIPS).size());
    String tables = new Tables(results).render();
    assertTrue(tables.contains("| work/1 | shm | 4 |  | cuInit 4 |"), tables);
  }
}
