// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.warmup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.cuda.CudaService;
import io.outboard.backend.cuda.CudaWarmUp;
import io.outboard.backend.cuda.NoOpCuda;
import io.outboard.backend.library.Allotment;
import io.outboard.backend.library.NoOpDriver;
import io.outboard.backend.library.WarmUpScript;
import io.outboard.backend.opencl.NoOpOpenCl;
import io.outboard.backend.opencl.OpenClService;
import io.outboard.backend.opencl.OpenClWarmUp;
import io.outboard.backend.system.Pause;
import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClResult;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WarmUpTest {
  private static final WarmUpScript CUDA = new CudaWarmUp(Optional.empty());
  private static final WarmUpScript OPENCL = new OpenClWarmUp(Optional.empty());

  private static List<WarmUpScript> pieces() {
    return List.of(CUDA, OPENCL);
  }

  @ParameterizedTest
  @MethodSource("pieces")
  void everyCallOfThePieceSucceedsOverRings(WarmUpScript piece) throws IOException {
    try (WarmUpStage stage = WarmUpStage.overRings(piece)) {
      assertTrue(plays(stage, 100));
    }
  }

  @ParameterizedTest
  @MethodSource("pieces")
  void everyCallOfThePieceSucceedsOverSockets(WarmUpScript piece) throws IOException {
    try (WarmUpStage stage = WarmUpStage.overSockets(piece)) {
      assertTrue(plays(stage, 100));
    }
  }

  @ParameterizedTest
  @MethodSource("pieces")
  void everyCallOfThePieceSucceedsWithinLimits(WarmUpScript piece) throws IOException {
    try (WarmUpLimits limits = WarmUpLimits.create();
        WarmUpStage stage = WarmUpStage.overRings(piece, limits.allotment())) {
      assertTrue(plays(stage, 1_000));
    }
  }

  @ParameterizedTest
  @MethodSource("pieces")
  void everyCallOfThePieceSucceedsInRingsOfThreads(WarmUpScript piece) throws IOException {
    try (WarmUpStage stage = WarmUpStage.overRingsOfThreads(piece, Allotment.EVERYTHING)) {
      assertTrue(plays(stage, 100));
      assertTrue(stage.hasOwnRings());
    }
  }

  /** Or the first call of a client would be of a class that compiled code does not know. */
  @Test
  void driversAreOfSeveralClasses() {
    assertEquals(3, classes(NoOpCuda::driver));
    assertEquals(3, classes(NoOpOpenCl::driver));
  }

  private static long classes(IntFunction<Object> driver) {
    return IntStream.range(0, 4).mapToObj(driver).map(Object::getClass).distinct().count();
  }

  /** The way into the host's library is played too, and what it returns is of no concern. */
  @Test
  void aHostsOpenClMayRefuseEverything() throws IOException {
    List<String> asked = new ArrayList<>();
    OpenClDriver host =
        NoOpDriver.create(
            OpenClDriver.class,
            0,
            (call, arguments) -> {
              asked.add(call);
              return OpenClResult.INVALID_COMMAND_QUEUE;
            });
    try (WarmUpStage stage = WarmUpStage.overRings(new OpenClWarmUp(Optional.of(host)))) {
      assertTrue(plays(stage, 10));
    }
    assertTrue(asked.contains("clEnqueueNDRangeKernel"), asked::toString);
    // A loader looks into the events that a list has.
    assertFalse(asked.contains("outboardWaitTimed"), asked::toString);
  }

  @Test
  void whatIsNotServedIsNotWarmedUp() {
    assertTrue(new OpenClService().warmUpScript("software").isEmpty());
    assertTrue(new CudaService().warmUpScript("opencl").isEmpty());
  }

  @Test
  void aClientThatIsThereEndsIt() {
    AtomicInteger asked = new AtomicInteger();
    WarmUp.run("software", () -> asked.incrementAndGet() >= 2);
    // Before the first play, before the second, and whether to wait for the end of the sessions.
    assertEquals(3, asked.get());
    while (isEnding()) {
      Pause.ms(10);
    }
  }

  private static boolean isEnding() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("warm-up-end"));
  }

  @Test
  void nothingIsLeft() throws IOException {
    warmUpAll();
    int before = descriptors();
    long threads = sessionThreads();
    for (int i = 0; i < 5; i++) {
      warmUpAll();
    }
    assertEquals(before, descriptors());
    // A thread says that it leaves before it is gone.
    while (sessionThreads() > threads) {
      Pause.ms(10);
    }
  }

  private static void warmUpAll() throws IOException {
    for (WarmUpScript piece : pieces()) {
      WarmUpStage.overRings(piece).close();
      WarmUpStage.overSockets(piece).close();
      warmUpLimits(piece);
    }
  }

  private static void warmUpLimits(WarmUpScript piece) throws IOException {
    try (WarmUpLimits limits = WarmUpLimits.create();
        WarmUpStage stage = WarmUpStage.overRings(piece, limits.allotment())) {
      assertTrue(plays(stage, 10));
    }
  }

  private static long sessionThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().matches("session.*|slices"))
        .filter(Thread::isAlive)
        .count();
  }

  private static boolean plays(WarmUpStage stage, int times) {
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
