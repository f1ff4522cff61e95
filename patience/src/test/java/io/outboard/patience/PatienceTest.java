// SPDX-License-Identifier: Apache-2.0
package io.outboard.patience;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PatienceTest {
  @Test
  void aSlowerMachineIsWaitedForLonger() {
    assertEquals(1, Slowness.factor(Duration.ofMillis(40)));
    assertEquals(3, Slowness.factor(Duration.ofMillis(250)));
    assertEquals(10, Slowness.factor(Duration.ofHours(1)));
    assertTrue(Slowness.FACTOR >= 1);
  }

  @Test
  void allTestsHaveALimit() {
    assertNotNull(System.getProperty("junit.jupiter.execution.timeout.default"));
  }

  @Test
  void whatComesIsWaitedFor() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    Patience.until("the third look", () -> looks.incrementAndGet() == 3);
    assertEquals(3, looks.get());
    SynchronousQueue<String> queue = new SynchronousQueue<>();
    CountDownLatch latch = new CountDownLatch(1);
    Thread giver =
        Thread.ofVirtual()
            .start(
                () -> {
                  latch.countDown();
                  while (!queue.offer("it")) {
                    Thread.onSpinWait();
                  }
                });
    Patience.await(latch);
    assertEquals("it", Patience.take(queue));
    Patience.join(giver);
    assertEquals(7, Patience.exit(new ProcessBuilder("sh", "-c", "exit 7").start()));
  }
}
