// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetTest {
  @ParameterizedTest
  @CsvSource({
    "<=10, 8, 10, true",
    "<=10, 8, 10.1, false",
    ">=6, 55, 6, true",
    ">=6, 55, 5.9, false",
    "<=1.02x, 100, 102, true",
    "<=1.02x, 100, 103, false",
    ">=0.98x, 55, 54, true",
    ">=0.98x, 55, 53, false",
    "<=+0.2, 0.25, 0.25, true",
    "<=+0.2, 0.25, 0.46, false",
  })
  void boundsWhatItSays(String target, double before, double after, boolean met) {
    Comparison comparison = new Comparison(List.of(new Comparison.Pair(before, after)));
    assertEquals(met, Target.parse(target).isMet(comparison));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-", "10", "<10", "<=+0.2x", "<=x", ">=1.0y"})
  void otherTextIsNone(String text) {
    assertThrows(IllegalArgumentException.class, () -> Target.parse(text));
  }

  @Test
  void isWrittenAsPeopleDo() {
    assertEquals("≤ 1.02×", Target.parse("<=1.02x").toString());
    assertEquals("≥ 6", Target.parse(">=6").toString());
    assertEquals("≤ +0.2", Target.parse("<=+0.2").toString());
  }
}
