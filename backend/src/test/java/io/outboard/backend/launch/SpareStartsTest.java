// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.launch;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.outboard.patience.Patience;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class SpareStartsTest {
  private final Set<Thread> starters = ConcurrentHashMap.newKeySet();

  private boolean isStartedAtOnce(SpareStarts starts) {
    starts.want();
    return starters.contains(Thread.currentThread());
  }

  @Test
  void aClientAloneIsNotDisturbedAndOneOfManyHasItsSuccessorStartedAtOnce()
      throws InterruptedException {
    Thread own = Thread.currentThread();
    try (SpareStarts starts = new SpareStarts(() -> starters.add(Thread.currentThread()))) {
      starts.want();
      assertFalse(starters.contains(own));
      // The next one comes within the time, unless this thread is held up between the two.
      Patience.until("it is started at once", () -> isStartedAtOnce(starts));
    }
  }
}
