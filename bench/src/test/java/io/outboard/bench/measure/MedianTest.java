// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class MedianTest {
  @Test
  void middle() {
    assertEquals(2, Median.of(3, 1, 2));
    assertEquals(2.5, Median.of(4, 1, 2, 3));
    assertEquals(7, Median.of(7));
  }
}
