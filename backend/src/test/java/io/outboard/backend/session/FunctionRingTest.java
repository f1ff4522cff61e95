// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.system.SharedPage;
import io.outboard.patience.Patience;
import io.outboard.wire.Frame;
import io.outboard.wire.Region;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Functions of a client that have a ring of their own. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class FunctionRingTest {
  private static final long NUMBER = 7;
  private static final long TICKET = 1;

  private final FakeRing functions = new FakeRing();
  private final FakeRing first = new FakeRing(slots());
  private SharedPage page;
  private ClientCallbacks callbacks;

  private FakeRing[] slots() {
    FakeRing[] all = new FakeRing[Region.FUNCTIONS_SLOT + 1];
    Arrays.setAll(all, i -> i == Region.FUNCTIONS_SLOT ? functions : new FakeRing());
    return all;
  }

  @BeforeEach
  void open() throws IOException {
    page = SharedPage.create();
    callbacks = new ClientCallbacks(new Connection(first, page), page);
    assertTrue(callbacks.goApart());
  }

  @AfterEach
  void close() {
    callbacks.close();
    callbacks.free();
    page.close();
  }

  /** As the driver calls one, on a thread of its own. */
  private Thread driver() {
    MethodHandle function =
        Linker.nativeLinker()
            .downcallHandle(
                MemorySegment.ofAddress(callbacks.trampoline(0)),
                FunctionDescriptor.ofVoid(JAVA_LONG));
    return Thread.ofPlatform().start(() -> call(function));
  }

  private static void call(MethodHandle function) {
    try {
      function.invokeExact(NUMBER);
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  private void answer(long ticket) {
    functions.send(Frame.KIND_CALLBACK_DONE, 0, 0, 0, 0, 0, 0, ticket);
  }

  @Test
  void theDriverWaitsThereUntilOneHasReturned() throws InterruptedException {
    Thread driver = driver();
    assertEquals(0, functions.result(), "the status that a function without one gets");
    Patience.until("the driver's thread waits for the answer", functions::awaited);
    assertTrue(driver.isAlive());
    answer(TICKET);
    driver.join();
    assertFalse(first.answered());
  }

  /** Such a client lies, or is damaged: its session ends, and no thread of the driver waits on. */
  @Test
  void anotherAnswerEndsTheRing() throws InterruptedException {
    Thread driver = driver();
    int unused = functions.result();
    answer(TICKET + 1);
    driver.join();
    driver().join();
  }

  @Test
  void theEndOfTheSessionEndsTheWait() throws InterruptedException {
    Thread driver = driver();
    int unused = functions.result();
    callbacks.close();
    driver.join();
  }

  @Test
  void thereIsOneAtMost() {
    assertFalse(callbacks.goApart());
    ClientCallbacks without = new ClientCallbacks(new Connection(new FakeRing(), page), page);
    assertFalse(without.goApart());
  }
}
