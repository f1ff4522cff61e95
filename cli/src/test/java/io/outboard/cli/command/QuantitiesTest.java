// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

final class QuantitiesTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1024, 1 KiB",
    "52428800, 50 MiB",
    "1610612736, 1.5 GiB",
    "150109880320, 139.8 GiB",
    "21474836480, 20 GiB",
    "1099511627776, 1 TiB",
  })
  void aSizeIsReadAtAGlance(long bytes, String text) {
    assertEquals(text, Quantities.size(bytes));
  }

  @ParameterizedTest
  @CsvSource({
    "0B, 0",
    "20GiB, 21474836480",
    "512M, 536870912",
    "1024TiB, 1125899906842624",
  })
  void aSizeHasAUnit(String text, long bytes) {
    assertEquals(bytes, new Quantities.Size().convert(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"20", "0", "1025TiB", "999999999999T", "20 GiB", "-1B", "GiB", ""})
  void whatIsNoSizeIsRefused(String text) {
    assertThrows(TypeConversionException.class, () -> new Quantities.Size().convert(text));
  }

  @ParameterizedTest
  @CsvSource({"1, 1000", "0.125, 125", "20%, 200", "12.5%, 125", "100%, 1000"})
  void aShareIsAFractionOrAPercentage(String text, int thousandths) {
    assertEquals(thousandths, new Quantities.Share().convert(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1.5", "0%", "101%", "0.0001", "0.01%", "-20%", "%", "half", ""})
  void whatIsNoShareIsRefused(String text) {
    assertThrows(TypeConversionException.class, () -> new Quantities.Share().convert(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"20", "0s", "3651d", "999999999d", "9999999999s", "-1s"})
  void whatIsNoTimeIsRefused(String text) {
    assertThrows(TypeConversionException.class, () -> new Quantities.Time().convert(text));
  }

  @Test
  void aTimeHasTenYearsAndABudgetMore() {
    assertEquals(Duration.ofDays(3650), new Quantities.Time().convert("3650d"));
    assertEquals(Duration.ofDays(3_650_000), new Quantities.Budget().convert("3650000d"));
  }
}
