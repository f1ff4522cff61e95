// SPDX-License-Identifier: Apache-2.0
package io.outboard.patience;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
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

  @Test
  void aThreadThatWaitsIsSeen() throws Exception {
    CompletableFuture<KernelThread> known = new CompletableFuture<>();
    CountDownLatch end = new CountDownLatch(1);
    Thread waits =
        Thread.ofPlatform()
            .start(
                () -> {
                  known.complete(self());
                  awaitUnchecked(end);
                });
    Patience.get(known).untilSleeps();
    Patience.untilWaits(waits);
    end.countDown();
    Patience.join(waits);
  }

  private static KernelThread self() {
    try {
      return KernelThread.current();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void awaitUnchecked(CountDownLatch latch) {
    try {
      Patience.await(latch);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
