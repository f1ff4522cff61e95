// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.backend.worker.HandOver.Further;
import io.outboard.backend.worker.HandOver.Purpose;
import io.outboard.wire.Limits;
import org.junit.jupiter.api.Test;

class HandOverTest {
  private static final int DESCRIPTOR = 7;

  @Test
  void theByteOfADescriptorHasEachPurposeAndEachNumber() {
    for (Purpose purpose : Purpose.values()) {
      for (int number = 0; number < Limits.THREAD_CONNECTIONS; number++) {
        Further sent = new Further(purpose, number, DESCRIPTOR);
        assertEquals(sent, Further.decode(sent.encode(), DESCRIPTOR));
      }
    }
  }

  /** A byte whose sign is set is no negative number. */
  @Test
  void aByteIsNoNegativeNumber() {
    assertEquals(new Further(Purpose.LINK_TO, 15, DESCRIPTOR), decoded((byte) 0xf5));
    assertThrows(IllegalArgumentException.class, () -> decoded((byte) 0xff));
  }

  private static Further decoded(byte said) {
    return Further.decode(said, DESCRIPTOR);
  }
}
