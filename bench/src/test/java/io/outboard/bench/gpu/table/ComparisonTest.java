// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.table;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.bench.gpu.run.Group;
import io.outboard.bench.gpu.run.Run;
import io.outboard.bench.gpu.run.Way;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  private static Run run(int source, int round, String way, Map<String, Double> figures) {
    return new Run(source, Group.MICRO, "calls", round, way, figures, Map.of(), null);
  }

  @Test
  void eachRunIsComparedWithThatOfItsRound() {
    Comparison comparison =
        Comparison.of(
            List.of(
                run(0, 1, Way.NATIVE, Map.of("launch", 2.0)),
                run(0, 1, "shm", Map.of("launch", 4.0)),
                run(0, 2, Way.NATIVE, Map.of("launch", 10.0)),
                run(0, 2, "shm", Map.of("launch", 10.0)),
                run(0, 3, Way.NATIVE, Map.of("launch", 4.0)),
                run(0, 3, "shm", Map.of("launch", 12.0))),
            "launch",
            "shm");
    assertEquals(2, comparison.ratio());
    assertEquals(2, comparison.difference());
    assertEquals(10, comparison.ours());
    assertEquals(4, comparison.before());
    assertEquals("1.00–3.00", comparison.spread());
  }

  @Test
  void aRunWithoutPartnerCountsNothing() {
    Comparison comparison =
        Comparison.of(
            List.of(
                run(0, 1, Way.NATIVE, Map.of()),
                run(0, 1, "shm", Map.of("launch", 4.0)),
                run(1, 1, Way.NATIVE, Map.of("launch", 1.0)),
                run(0, 1, "tcp", Map.of("launch", 4.0))),
            "launch",
            "shm");
    assertEquals(List.of(), comparison.pairs());
  }
}
