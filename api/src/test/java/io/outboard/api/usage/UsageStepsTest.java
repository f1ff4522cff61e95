// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.lease.Form;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** GPU hours in steps of time, and drawn. */
final class UsageStepsTest {
  private static final Instant NOW = Instant.parse("2026-11-28T12:30:00Z");

  private static Form row(String tenant, Duration ago, Duration time, int share) {
    Instant from = NOW.minus(ago);
    return new Form()
        .with("tenant", tenant)
        .with("from", from.toEpochMilli())
        .with("to", from.plus(time).toEpochMilli())
        .with("share", share);
  }

  /** Half a GPU from 11:30 to 12:30 is a quarter of an hour in each of two steps. */
  @Test
  void aRowIsInEachStepForItsPart() {
    UsageSteps steps = new UsageSteps("tenant", 1, NOW);
    steps.add(row("a", Duration.ofHours(1), Duration.ofHours(1), 500));
    List<Double> hours = steps.lines().getFirst().hours();
    assertEquals(24, hours.size());
    assertEquals(List.of(0.0, 0.25, 0.25), hours.subList(21, 24));
    assertEquals(Instant.parse("2026-11-27T13:00:00Z"), steps.begin());
  }

  @Test
  void theLargestHaveALineAndTheRestHasOne() {
    UsageSteps steps = new UsageSteps("tenant", 30, NOW);
    for (int i = 0; i < 12; i++) {
      steps.add(row("t" + i, Duration.ofDays(2), Duration.ofHours(1 + i), 1_000));
    }
    List<UsageSteps.Line> lines = steps.lines();
    assertEquals(UsageSteps.MOST_LINES + 1, lines.size());
    assertEquals("t11", lines.getFirst().name());
    assertEquals("others", lines.getLast().name());
    double rest = lines.getLast().hours().stream().mapToDouble(Double::doubleValue).sum();
    assertEquals(1 + 2 + 3 + 4, rest, 1e-9);
  }

  @Test
  void namesInAPlotAreText() {
    String svg =
        new Plot("t", new Plot.Axis("x", -1, 0, false), new Plot.Axis("y", 0, 1, false))
            .line("<script>&", List.of(new Plot.Point(-1, 0), new Plot.Point(0, 1)))
            .svg();
    assertTrue(svg.contains("&lt;script&gt;&amp;"), svg);
  }
}
