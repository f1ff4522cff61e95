// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class FiguresTest {
  @Test
  void aProgramsLine() throws IOException {
    Figures figures =
        Figures.parse(
            "{\"what\":\"plain\",\"gap_us\":100,\"count\":5,\"p50_us\":1.5,\"p99_us\":2,\"cpu_s\":0.25}");
    assertEquals(new Figures("plain", 100, 5, 1.5, 2, 0.25), figures);
  }

  @Test
  void aProgramThatDies() {
    assertThrows(IOException.class, () -> Figures.parse(null));
  }
}
