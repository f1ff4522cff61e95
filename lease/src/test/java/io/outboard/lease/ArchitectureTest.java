// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Generations of GPUs and their compute capabilities (CUDA Programming Guide, 5.1). */
final class ArchitectureTest {
  @ParameterizedTest
  @CsvSource({
    "5, 2, maxwell",
    "6, 1, pascal",
    "7, 0, volta",
    "7, 2, volta",
    "7, 5, turing",
    "8, 0, ampere",
    "8, 6, ampere",
    "8, 7, ampere",
    "8, 9, ada",
    "9, 0, hopper",
    "10, 0, blackwell",
    "12, 0, blackwell"
  })
  void theCapabilitySaysIt(int major, int minor, String label) {
    Architecture found = Architecture.of(major, minor).orElseThrow();
    assertEquals(label, found.label());
    assertEquals(found, Architecture.of(label));
  }

  @Test
  void othersAreNotKnown() {
    assertEquals(Optional.empty(), Architecture.of(3, 5));
    assertEquals(Optional.empty(), Architecture.of(13, 0));
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Architecture.of("fermi"));
    assertTrue(e.getMessage().contains("turing"), e::getMessage);
  }
}
