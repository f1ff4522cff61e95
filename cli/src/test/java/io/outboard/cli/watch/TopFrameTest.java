// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.api.json.Json;
import io.outboard.cli.command.Line;
import io.outboard.lease.Form;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What {@code top} shows. */
final class TopFrameTest {
  private static final long SECOND = 1_000_000_000;

  private static Form device(int number) {
    return new Form()
        .with("number", number)
        .with("uuid", "GPU-" + number)
        .with("model", "NVIDIA H200")
        .with("memory", 80L << 30);
  }

  private static Form session(String program, long calls, long bytes) {
    return new Form()
        .with("lease", "21d2abe7df25")
        .with("tenant", "alice.of.a.long.name@example.org")
        .with("client", "/home/alice/a/long/way/" + program + " (process 17)")
        .with("calls", calls)
        .with("bytesIn", bytes);
  }

  private static Snapshot at(long nanos, List<Form> devices, List<Form> sessions) {
    return new Snapshot(nanos, devices, List.of(), List.of(), sessions, new Form());
  }

  private static List<String> lines(TopFrame frame, SessionOrder order) {
    return frame.lines(order).stream().map(TopLine::text).toList();
  }

  private static String line(TopFrame frame, String start) {
    return lines(frame, SessionOrder.calls).stream()
        .filter(line -> line.startsWith(start))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whatADriverSaysIsShownAndTheRestIsADash() {
    Form told = device(0).with("utilization", 37).with("power", 70_123);
    TopFrame frame =
        new TopFrame(at(0, List.of(), List.of()), at(1, List.of(told, device(1)), List.of()));
    assertTrue(line(frame, "0 ").matches(".* ##\\.\\.\\.\\. 37 % .* 70 W"), line(frame, "0 "));
    assertTrue(line(frame, "1 ").matches(".* - +- +- +-"), line(frame, "1 "));
    String json = Json.write(frame.json());
    assertTrue(json.contains("\"utilization\": 37"), json);
    assertTrue(json.contains("\"temperature\": null"), json);
  }

  /** A software GPU's driver says nothing; the backend knows what leases have and do there. */
  @Test
  void ofASoftwareGpuTheLeasesMemoryAndWorkAreShown() {
    Form before = device(0).with("leasesMemory", 0).with("leasesBusy", 5 * SECOND);
    Form now =
        device(0)
            .with("memoryUsed", "")
            .with("leasesMemory", 40L << 30)
            .with("leasesBusy", 6 * SECOND);
    TopFrame frame =
        new TopFrame(at(0, List.of(before), List.of()), at(2 * SECOND, List.of(now), List.of()));
    String line = line(frame, "0 ");
    assertTrue(line.contains("###... 50 % "), line);
    assertTrue(line.contains("###... 40 GiB"), line);
  }

  /** A program without a lease has and does something there too, which nobody measures. */
  @Test
  void ofASoftwareGpuWithOtherProgramsNothingIsSaid() {
    Form both =
        device(0).with("leasesMemory", 1 << 20).with("leasesBusy", SECOND).with("common", 1);
    TopFrame frame =
        new TopFrame(at(0, List.of(both), List.of()), at(SECOND, List.of(both), List.of()));
    assertTrue(line(frame, "0 ").matches(".* - +- +- +-"), line(frame, "0 "));
  }

  @Test
  void everyLineFits80Columns() {
    Form worst =
        device(1_000)
            .with("model", "NVIDIA A100-SXM4-80GB (software) of a long name")
            .with("share", 999)
            .with("leases", 100)
            .with("utilization", 100)
            .with("memoryUsed", 1023L << 30)
            .with("temperature", 100)
            .with("power", 1_000_000)
            .with("failed", "because of ".repeat(20));
    Form away = session("a-program-of-a-long-name", 1L << 40, 1L << 50).with("awaySince", 1);
    TopFrame frame =
        new TopFrame(
            at(0, List.of(worst), List.of()), at(SECOND, List.of(worst), List.of(away, away)));
    for (String line : lines(frame, SessionOrder.calls)) {
      assertTrue(line.codePointCount(0, line.length()) <= TopLine.WIDTH, line);
    }
  }

  @Test
  void sessionsAreInTheOrderThatIsWanted() {
    List<Form> sessions = List.of(session("b", 1, 900), session("c", 3, 100), session("a", 2, 500));
    TopFrame frame = new TopFrame(at(0, List.of(), List.of()), at(SECOND, List.of(), sessions));
    assertEquals(List.of("c", "a", "b"), programs(frame, SessionOrder.calls));
    assertEquals(List.of("b", "a", "c"), programs(frame, SessionOrder.bytes));
    assertEquals(List.of("a", "b", "c"), programs(frame, SessionOrder.program));
    assertEquals(Optional.of(SessionOrder.bytes), SessionOrder.of('b'));
    assertEquals(Optional.empty(), SessionOrder.of('q'));
  }

  private static List<String> programs(TopFrame frame, SessionOrder order) {
    return lines(frame, order).stream()
        .filter(line -> line.contains(" 17 "))
        .map(line -> line.replaceAll(".* (\\w) 17 .*", "$1"))
        .toList();
  }

  /** Several nodes of a pool have a GPU of each number. */
  @Test
  void gpusOfAPoolAreNamedSortedAndFiltered() {
    Form one = device(0).with("node", "n1").with("utilization", 10);
    Form other = device(0).with("node", "n2").with("utilization", 90);
    TopFrame frame =
        new TopFrame(at(0, List.of(), List.of()), at(1, List.of(one, other), List.of()));
    List<String> sorted =
        frame.lines(SessionOrder.calls, GpuOrder.busy, "").stream().map(TopLine::text).toList();
    assertTrue(sorted.get(3).startsWith("n2/0 "), sorted::toString);
    assertTrue(sorted.get(4).startsWith("n1/0 "), sorted::toString);
    List<String> found =
        frame.lines(SessionOrder.calls, GpuOrder.number, "N2").stream().map(TopLine::text).toList();
    assertTrue(found.get(3).startsWith("n2/0 "), found::toString);
    assertEquals(sorted.size() - 1, found.size());
  }

  @Test
  void theLastMinuteIsARowOfBars() {
    Sparks sparks = new Sparks();
    assertEquals(Optional.empty(), sparks.of("0", 0));
    for (int second = 1; second <= 20; second++) {
      sparks.add("0", second * SECOND, second <= 10 ? 1 : 0);
    }
    assertEquals(Optional.of("    █▁"), sparks.of("0", 20 * SECOND));
    sparks.add("0", 75 * SECOND, 0.5);
    assertEquals(Optional.of("▁    ▅"), sparks.of("0", 75 * SECOND));
  }

  @Test
  void barsAreGreen() {
    assertEquals("\033[32m##\033[0m.. 50 %", new TopLine("##.. 50 %", Line.Kind.ROW).coloured());
  }
}
