// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Functions that a backend asks for. */
class ClientFunctionsTest {
  private static final CountDownLatch RUNS = new CountDownLatch(1);
  private static final CountDownLatch MAY_END = new CountDownLatch(1);

  /** The program's function. */
  static void waits(long unusedData) {
    try {
      RUNS.countDown();
      MAY_END.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aBackendThatAsksForTooManyIsRefused() throws Exception {
    MethodHandle waits =
        MethodHandles.lookup()
            .findStatic(
                ClientFunctionsTest.class, "waits", MethodType.methodType(void.class, long.class));
    Semaphore returned = new Semaphore(0);
    try (Arena arena = Arena.ofShared()) {
      long function =
          Linker.nativeLinker()
              .upcallStub(waits, FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG), arena)
              .address();
      ClientFunctions functions = new ClientFunctions(_ -> returned.release());
      long number = functions.keep(function, 5, 0, true);
      assertTrue(functions.asked(number, 0));
      RUNS.await();
      for (int i = 1; i <= ClientFunctions.MOST; i++) {
        assertTrue(functions.asked(number, i));
      }
      assertFalse(functions.asked(number, -1));
      MAY_END.countDown();
      assertTrue(
          returned.tryAcquire(
              ClientFunctions.MOST + 1, Patience.milliseconds(), TimeUnit.MILLISECONDS));
      assertEquals(0, returned.availablePermits());
    }
  }
}
