// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.sqlite;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.lease.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DiskWriterTest {
  private static final int THREADS = 16;
  private static final int ROUNDS = 50;

  @TempDir private Path folder;

  private DiskWriter open() throws IOException {
    return new DiskWriter(Files.writeString(folder.resolve("file"), "text"));
  }

  @Test
  void everybodyWhoWaitsIsServed() throws Exception {
    try (DiskWriter writer = open();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> waiting = new ArrayList<>();
      for (int i = 0; i < THREADS * ROUNDS; i++) {
        waiting.add(threads.submit(writer::force));
      }
      for (Future<?> one : waiting) {
        one.get();
      }
    }
  }

  @Test
  void anInterruptDoesNotCloseTheFile() throws IOException {
    try (DiskWriter writer = open()) {
      Thread.currentThread().interrupt();
      writer.force();
      assertTrue(Thread.interrupted(), "the interrupt is kept");
      writer.force();
    }
  }

  @Test
  void afterTheEndNothingIsPromised() throws IOException {
    DiskWriter writer = open();
    writer.close();
    assertThrows(StoreException.class, writer::force);
  }
}
