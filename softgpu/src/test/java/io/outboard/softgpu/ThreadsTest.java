// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import static io.outboard.softgpu.Program.ok;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several threads of a program use one context at random. */
class ThreadsTest extends DriverTest {
  private static final int THREADS = 6;
  private static final int STEPS = 400;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void nothingIsLostAndNothingHangs(long seed) throws Exception {
    long module = program().module();
    long append = program().function(module, "append");
    ok(driver().cuCtxGetId(0, program().out()));
    long context = program().value();
    long shared = program().event(2);
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Callable<Integer>> work = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Random random = new Random(seed * THREADS + i);
        work.add(() -> steps(random, context, append, shared));
      }
      for (Future<Integer> result : threads.invokeAll(work)) {
        assertEquals(0, result.get());
      }
    }
    ok(driver().cuCtxSynchronize());
  }

  /** The default streams order a thread's work in its own two streams. */
  private int steps(Random random, long context, long append, long shared) {
    ok(driver().cuCtxSetCurrent(context));
    long log = program().array(new int[STEPS + 1]);
    long stream = program().stream(0);
    int launched = 0;
    for (int i = 0; i < STEPS; i++) {
      switch (random.nextInt(12)) {
        case 0 -> ok(driver().cuStreamSynchronize(stream));
        case 1 -> ok(driver().cuEventRecord(shared, random.nextBoolean() ? stream : 2));
        case 2 -> ok(driver().cuStreamWaitEvent(stream, shared, 0));
        case 3 -> ok(driver().cuEventSynchronize(shared));
        case 4 -> ok(program().launchOne(append, 0, log, launched++));
        case 5 -> ok(driver().cuMemFree_v2(program().allocate(1 + random.nextInt(5000))));
        case 6 -> assertEquals(launched, program().read(log, 1)[0]);
        default -> ok(program().launchOne(append, stream, log, launched++));
      }
    }
    int[] entries = program().read(log, launched + 1);
    int wrong = entries[0] == launched ? 0 : 1;
    for (int i = 0; i < launched; i++) {
      wrong += entries[i + 1] == i ? 0 : 1;
    }
    ok(driver().cuStreamDestroy_v2(stream));
    return wrong;
  }
}
