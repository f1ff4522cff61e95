// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** PROTOCOL.md draws the header of a frame as it is. */
final class DrawnHeaderTest {
  private static final Path DOCUMENT = Path.of("..", "PROTOCOL.md");
  private static final Pattern FIELD = Pattern.compile("(\\d+) u(\\d+) ([a-z]+)");
  private static final int BITS = 8;

  @Test
  void theHeaderIsDrawnAsItIs() throws IOException {
    String text = Files.readString(DOCUMENT);
    String drawn = text.substring(text.indexOf("## Frames")).split("```", -1)[1];
    Map<Integer, String> fields = new TreeMap<>();
    int end = 0;
    for (Matcher field = FIELD.matcher(drawn); field.find(); ) {
      assertEquals(end, Integer.parseInt(field.group(1)), "no gap before " + field.group(3));
      end += Integer.parseInt(field.group(2)) / BITS;
      fields.put(Integer.valueOf(field.group(1)), field.group(3));
    }
    assertEquals(Frame.HEADER, end);
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
