// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.launch;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class SpareStartsTest {
  private final Set<Thread> starters = ConcurrentHashMap.newKeySet();

  @Test
  void aClientAloneIsNotDisturbedAndOneOfManyHasItsSuccessorStartedAtOnce() {
    Thread own = Thread.currentThread();
    try (SpareStarts starts = new SpareStarts(() -> starters.add(Thread.currentThread()))) {
      starts.want();
      assertFalse(starters.contains(own));
      starts.want();
      assertTrue(starters.contains(own));
    }
  }
}
