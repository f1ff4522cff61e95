// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.backend.worker.HandOver.Further;
import io.outboard.backend.worker.HandOver.Purpose;
import io.outboard.wire.Slot;
import org.junit.jupiter.api.Test;

class HandOverTest {
  private static final int DESCRIPTOR = 7;

  @Test
  void theByteOfADescriptorHasEachPurposeAndEachSlot() {
    for (Purpose purpose : Purpose.values()) {
      for (int number = 0; number < Slot.MOST; number++) {
        Further sent = new Further(purpose, new Slot(number), DESCRIPTOR);
        assertEquals(sent, Further.decode(sent.encode(), DESCRIPTOR));
      }
    }
  }

  /** A byte whose sign is set is no negative slot. */
  @Test
  void aSlotThatIsNoneIsRefusedByItsNumber() {
    String why =
        assertThrows(IllegalArgumentException.class, () -> Further.decode((byte) 0xf5, DESCRIPTOR))
            .getMessage();
    assertEquals("there are " + Slot.MOST + " slots, and none is 15", why);
  }
}
