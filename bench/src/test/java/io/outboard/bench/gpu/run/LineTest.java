// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class LineTest {
  @Test
  void figuresAndNotesAmongOtherOutput() {
    assertEquals(
        List.of(new Line("launch", 3.25, null), new Line("bert", null, "not run: no transformers")),
        Line.parse(
            """
            Loading weights: 100%
            {"figure":"launch","value":3.25}
            {"figure": "bert", "note": "not run: no transformers"}
            """));
  }

  @Test
  void aBrokenLineIsNoFigure() {
    assertThrows(IllegalArgumentException.class, () -> Line.parse("{\"figure\":\"launch\",,}"));
  }

  @Test
  void aLineThatIsCutOffIsNone() {
    assertEquals(List.of(), Line.parse("{\"figure\":\"launch\",\"val"));
  }
}
