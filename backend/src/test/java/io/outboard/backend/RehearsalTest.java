// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RehearsalTest {
  private static final RehearsalPiece CUDA = new RehearsedCuda(Optional.empty());

  @Test
  void everyCallOfThePieceSucceedsOverRings() throws IOException {
    try (RehearsalStage stage = RehearsalStage.overRings(CUDA)) {
      assertTrue(plays(stage, 100));
    }
  }

  @Test
  void everyCallOfThePieceSucceedsOverSockets() throws IOException {
    try (RehearsalStage stage = RehearsalStage.overSockets(CUDA)) {
      assertTrue(plays(stage, 100));
    }
  }

  @Test
  void everyCallOfThePieceSucceedsWithinLimits() throws IOException {
    try (RehearsedLimits limits = RehearsedLimits.create();
        RehearsalStage stage = RehearsalStage.overRings(CUDA, limits.allotment())) {
      assertTrue(plays(stage, 1_000));
    }
  }

  /** Or the first call of a client would be of a class that compiled code does not know. */
  @Test
  void driversAreOfSeveralClasses() {
    Set<Class<?>> classes = new HashSet<>();
    for (int number = 0; number < 4; number++) {
      classes.add(PretendedCuda.driver(number).getClass());
    }
    assertEquals(3, classes.size());
  }

  @Test
  void aClientThatIsThereEndsIt() {
    AtomicInteger asked = new AtomicInteger();
    Rehearsal.run("software", () -> asked.incrementAndGet() == 2);
    assertEquals(2, asked.get());
  }

  @Test
  void nothingIsLeft() throws IOException {
    RehearsalStage.overRings(CUDA).close();
    RehearsalStage.overSockets(CUDA).close();
    rehearseLimits();
    int before = descriptors();
    long threads = sessionThreads();
    for (int i = 0; i < 5; i++) {
      RehearsalStage.overRings(CUDA).close();
      RehearsalStage.overSockets(CUDA).close();
      rehearseLimits();
    }
    assertEquals(before, descriptors());
    // A thread says that it leaves before it is gone.
    while (sessionThreads() > threads) {
      Worker.pause(10);
    }
  }

  private static void rehearseLimits() throws IOException {
    try (RehearsedLimits limits = RehearsedLimits.create();
        RehearsalStage stage = RehearsalStage.overRings(CUDA, limits.allotment())) {
      assertTrue(plays(stage, 10));
    }
  }

  private static long sessionThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().matches("session.*|slices"))
        .filter(Thread::isAlive)
        .count();
  }

  private static boolean plays(RehearsalStage stage, int times) {
    for (int i = 0; i < times; i++) {
      if (!stage.play()) {
        return false;
      }
    }
    return true;
  }

  private static int descriptors() {
    return new File("/proc/self/fd").list().length;
  }
}
