// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.openstack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.office.rest.Fields;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The list of machines that do not use what they hold. */
final class StaleRowsTest {
  private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");

  private static Fields machine(String name, String since, long wasted) {
    return Fields.read(
        """
        {"machine": "m", "name": "%s", "status": "ACTIVE", "state": "idle", "gpus": 2,
         "occupies": true, "since": %s, "wasted": %d}
        """
            .formatted(name, since, wasted));
  }

  private static final List<Fields> MACHINES =
      List.of(
          machine("unknown", "null", 0),
          machine("old", "\"2026-11-27T09:30:00Z\"", 9_000),
          machine("new", "\"2026-11-28T11:59:00Z\"", 60));

  private static List<String> lines(BigDecimal price, Duration over) {
    return new StaleRows(MACHINES, NOW, price)
        .lines(over).stream().map(line -> line.text().replaceAll(" +", " ")).toList();
  }

  @Test
  void theTimeOfGpusHasItsPrice() {
    List<String> lines = lines(new BigDecimal("2.40"), Duration.ZERO);
    assertEquals("m old ACTIVE idle 2 2 26:30:00 2.50 6.00", lines.get(2));
    assertEquals("m new ACTIVE idle 2 2 0:01:00 0.02 0.04", lines.get(3));
    Map<?, ?> row =
        (Map<?, ?>) new StaleRows(MACHINES, NOW, BigDecimal.ONE).json(Duration.ZERO).get(1);
    assertEquals(new BigDecimal("2.50"), row.get("cost"));
  }

  @Test
  void shortOnesAreLeftOutAndUnknownOnesAreNot() {
    List<String> lines = lines(null, Duration.ofHours(1));
    assertEquals(3, lines.size(), lines::toString);
    assertTrue(lines.get(1).startsWith("m unknown ACTIVE idle 2 2 ? 0.00"), lines.get(1));
    assertEquals("m old ACTIVE idle 2 2 26:30:00 2.50", lines.get(2));
  }
}
