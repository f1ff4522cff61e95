// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.quota;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class QuotaPageTest {
  private QuotaPage page;

  @BeforeEach
  void create() throws IOException {
    page = QuotaPage.create(List.of(100L, 50L));
    for (int slot : List.of(0, 3, 1)) {
      page.join(slot);
    }
  }

  @AfterEach
  void close() {
    page.close();
  }

  @Test
  void allWorkersTogetherHaveTheLimit() throws IOException {
    QuotaPage other = QuotaPage.map(page.descriptor());
    assertTrue(page.take(0, 0, 60));
    assertFalse(other.take(1, 0, 41));
    assertTrue(other.take(1, 0, 40));
    assertEquals(100, page.used(0));
    page.add(0, 0, -60);
    assertTrue(other.take(1, 0, 60));
  }

  @Test
  void devicesAreCountedApart() {
    assertTrue(page.take(0, 0, 100));
    assertTrue(page.take(0, 1, 50));
    assertFalse(page.take(0, 1, 1));
    assertEquals(0, page.used(2));
  }

  @Test
  void whatIsNoSizeIsRefused() {
    for (long bytes : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, 101}) {
      assertFalse(page.take(0, 0, bytes), () -> Long.toString(bytes));
    }
    assertEquals(0, page.used(0));
  }

  @Test
  void aKilledWorkerHasNothing() {
    assertTrue(page.take(3, 0, 100));
    assertTrue(page.take(3, 1, 20));
    page.clear(3);
    page.join(255);
    assertTrue(page.take(255, 0, 100));
    assertEquals(100, page.used(0));
    assertEquals(0, page.used(1));
  }

  @Test
  void noTwoTakeWhatIsLeft() throws ExecutionException, InterruptedException {
    List<Future<Integer>> workers = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int slot = 0; slot < 4; slot++) {
        int own = slot;
        workers.add(threads.submit(() -> takeAndGive(own)));
      }
    }
    for (Future<Integer> worker : workers) {
      assertTrue(worker.get() > 0, "each gets something sometimes");
    }
    assertEquals(0, page.used(0));
  }

  /** The sum of all stays within the limit, as each worker sees it. */
  private int takeAndGive(int slot) {
    Random random = new Random(slot);
    int got = 0;
    for (int i = 0; i < 20_000; i++) {
      long bytes = 30L + random.nextInt(30);
      if (page.take(slot, 0, bytes)) {
        got++;
        page.add(slot, 1, 1);
        assertTrue(page.used(1) <= 3, "more than three times 30 of 100");
        page.add(slot, 1, -1);
        page.add(slot, 0, -bytes);
      }
    }
    return got;
  }
}
