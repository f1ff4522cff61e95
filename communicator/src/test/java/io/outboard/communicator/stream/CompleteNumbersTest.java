// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CompleteNumbersTest {
  private static final int COUNT = 3 * CompleteNumbers.WINDOW;
  private static final int APART = 1000;

  private final CompleteNumbers numbers = new CompleteNumbers(7);

  private void add(long number) {
    assertTrue(numbers.add(number));
  }

  @Test
  void aNumberThatIsMissingIsWaitedFor() {
    assertTrue(numbers.includes(7));
    add(9);
    add(10);
    assertFalse(numbers.includes(8));
    add(8);
    assertTrue(numbers.includes(10));
    assertFalse(numbers.includes(11));
  }

  @Test
  void whatWasAddedBeforeChangesNothing() {
    add(3);
    add(8);
    add(8);
    add(0);
    add(-1);
    assertTrue(numbers.includes(8));
    assertFalse(numbers.includes(9));
  }

  @Test
  void oneFarAheadIsNotNotedUntilOthersHaveCome() {
    long far = 8 + CompleteNumbers.WINDOW;
    assertFalse(numbers.add(far));
    assertFalse(numbers.add(Long.MAX_VALUE));
    add(far - 1);
    add(8);
    add(far);
    assertFalse(numbers.includes(9));
  }

  @Test
  void inAnyOrderAllAreIncludedInTheEnd() {
    List<Long> all = new ArrayList<>();
    Random random = new Random(20261128);
    for (long number = 8; number < 8 + COUNT; number++) {
      all.add(number);
      if (all.size() == APART) {
        Collections.shuffle(all, random);
        all.forEach(this::add);
        all.clear();
        assertTrue(numbers.includes(number));
        assertFalse(numbers.includes(number + 1));
      }
    }
    assertEquals(COUNT % APART, all.size());
  }
}
