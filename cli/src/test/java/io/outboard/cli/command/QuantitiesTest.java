// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
}
