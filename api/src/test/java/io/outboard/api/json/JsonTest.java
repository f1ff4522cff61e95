// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonTest {
  private static final long SEED = 20261121;
  private static final String ALPHABET =
      "{}[]\",:\\/ \n0123456789.eE+-truefalsn\u0001\u00e9\ud83d\ude00u";

  @Test
  void valuesAreRead() {
    assertEquals(
        Map.of("a", List.of(1L, new BigDecimal("0.5"), true), "b", Map.of(), "c", List.of()),
        Json.read(" {\"a\": [1, 0.5, true],\n\"b\":{}, \"c\":[ ]}\t"));
    assertEquals("\"\\/\b\f\n\r\té", Json.read("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\""));
    assertEquals(null, Json.read("null"));
    assertEquals(100L, Json.read("1e2"));
    assertEquals(new BigDecimal("9223372036854775808"), Json.read("9223372036854775808"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "[",
        "[1,]",
        "{\"a\"}",
        "{\"a\":1,}",
        "{a:1}",
        "01",
        "1.",
        ".5",
        "+1",
        "1e",
        "--1",
        "nul",
        "nullx",
        "tru",
        "1 2",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\u0001\"",
        "\"",
        "{\"a\":1,\"a\":2}",
        "1e100",
        "1e-99999999999999",
        "NaN",
        "Infinity",
        "'a'",
        "[1 2]",
        "{\"a\":1 \"b\":2}",
        "\ufeff1"
      })
  void whatIsNoJsonIsRefused(String text) {
    var wrong = assertThrows(IllegalArgumentException.class, () -> Json.read(text));
    assertFalse(wrong.getMessage().contains("Source"), wrong::getMessage);
  }

  @Test
  void whatCouldHurtIsRefused() {
    for (String text :
        List.of("[".repeat(100_000), "{\"a\":".repeat(100_000), "9".repeat(60_000))) {
      assertThrows(IllegalArgumentException.class, () -> Json.read(text));
    }
  }

  @Test
  void whatIsWrittenIsReadAgain() throws Exception {
    Object value =
        Ordered.of(
            "text \"\\\n\u0001\u00e9\ud83d\ude00",
            Arrays.asList(1L, null, false, new BigDecimal("0.25")));
    String text = Json.write(value);
    assertEquals(value, Json.read(text));
    assertEquals(
        new ObjectMapper().writeValueAsString(value), new ObjectMapper().readTree(text).toString());
  }

  @Test
  void randomTextThatIsReadIsWrittenTheSame() throws Exception {
    Random random = new Random(SEED);
    for (int round = 0; round < 50_000; round++) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(12); i >= 0; i--) {
        text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
      }
      Object value;
      try {
        value = Json.read(text.toString());
      } catch (IllegalArgumentException e) {
        continue;
      }
      String written = Json.write(value);
      assertEquals(value, Json.read(written), () -> "round trip of " + text);
    }
  }
}
