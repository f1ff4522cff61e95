// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link Names}. */
final class NamesTest {
  private static final Sources SOURCES =
      new Sources(
          List.of("tls", "cli", "frontend"),
          List.of(
              new TestClass(
                  "tls", "a.tls.TlsTest", false, Map.of("isQuick", false, "isLong", true)),
              new TestClass("tls", "a.tls.GuestTest", true, Map.of("runs", false)),
              new TestClass("cli", "a.cli.TlsTest", false, Map.of("asks", false))),
          List.of("loss", "sha256"));

  private static List<String> found(String name) throws Usage {
    return new Names(SOURCES)
        .find(name).stream().map(one -> one.pattern() + (one.lengthy() ? " lengthy" : "")).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          tls | a.tls.TlsTest
          TlsTest | a.tls.TlsTest, a.cli.TlsTest
          cli/TlsTest | a.cli.TlsTest
          a.cli.TlsTest | a.cli.TlsTest
          TlsTest.asks | a.cli.TlsTest#asks
          TlsTest#asks() | a.cli.TlsTest#asks
          a.tls.TlsTest.isLong | a.tls.TlsTest#isLong lengthy
          tls/src/test/java/a/tls/GuestTest.java | a.tls.GuestTest lengthy
          loss | loss
          frontend/loss | loss
          frontend/test/loss.c | loss
          frontend | loss, sha256
          """)
  void isFound(String name, String tests) throws Usage {
    assertEquals(List.of(tests.split(", ")), found(name));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          TslTest | there is no test 'TslTest'; did you mean TlsTest?
          guest | there is no test 'guest'; did you mean GuestTest?
          los | there is no test 'los'; did you mean loss?
          GuestTest.run | there is no test 'GuestTest.run'; GuestTest has runs
          GuestTest.other | there is no test 'GuestTest.other'; GuestTest has runs
          cli/GuestTest | there is no test 'cli/GuestTest'; did you mean GuestTest?
          unheard | there is no test 'unheard'
          """)
  void isSuggested(String name, String message) {
    assertEquals(message, assertThrows(Usage.class, () -> found(name)).getMessage());
  }

  @Test
  void distancesAreNumbersOfEdits() {
    assertEquals(0, Distance.edits("same", "same"));
    assertEquals(1, Distance.edits("same", "sme"));
    assertEquals(2, Distance.edits("", "ab"));
    assertEquals(3, Distance.edits("kitten", "sitting"));
  }
}
