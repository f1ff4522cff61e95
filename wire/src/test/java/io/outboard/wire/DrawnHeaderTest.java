// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** PROTOCOL.md draws the header of a frame as it is. */
final class DrawnHeaderTest {
  @Test
  void theHeaderIsDrawnAsItIs() {
    Drawing drawn = Drawing.of("Frame");
    Map<Integer, String> fields = new TreeMap<>();
    drawn.fields().forEach((name, field) -> fields.put(field.offset(), name));
    assertEquals(Frame.HEADER, drawn.end());
    assertEquals(
        Map.of(
            Frame.LENGTH, "length",
            Frame.KIND, "kind",
            Frame.FLAGS, "flags",
            Frame.CALL, "call",
            Frame.LIBRARY, "library",
            Frame.LANE, "lane",
            Frame.THREAD, "thread",
            Frame.RESULT, "result",
            Frame.SEQUENCE, "sequence",
            Frame.ACKNOWLEDGED, "acknowledged"),
        fields);
  }
}
