// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import io.outboard.wire.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CallGateTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = 200;

  private final CallGate gate = new CallGate();
  private final AtomicInteger knocks = new AtomicInteger();
  private int thread;

  @Test
  void callsWaitOutsideAndTheFirstKnocks() throws InterruptedException {
    long before = gate.entries();
    gate.enter(1);
    assertTrue(gate.isUsed());
    assertNotEquals(before, gate.entries());
    gate.leave(1);
    assertTrue(gate.close(Patience.milliseconds(), knocks::incrementAndGet));
    List<Thread> calls = List.of(call(), call());
    while (calls.stream().anyMatch(call -> call.getState() != Thread.State.WAITING)) {
      Thread.sleep(1);
    }
    assertEquals(1, knocks.get());
    assertFalse(gate.isUsed());
    gate.open();
    for (Thread call : calls) {
      call.join();
    }
    assertTrue(gate.close(Patience.milliseconds(), knocks::incrementAndGet));
    gate.open();
    assertEquals(1, knocks.get());
  }

  private Thread call() {
    int number = ++thread;
    return Thread.ofPlatform()
        .start(
            () -> {
              gate.enter(number);
              gate.leave(number);
            });
  }

  @Test
  void aCallThatTakesTooLongLeavesItOpen() throws InterruptedException {
    gate.enter(Limits.THREADS - 1);
    assertFalse(gate.close(20, knocks::incrementAndGet));
    call().join();
    gate.leave(Limits.THREADS - 1);
    assertTrue(gate.close(20, knocks::incrementAndGet));
    gate.open();
  }

  /** While it is closed nothing is inside, whatever the moment at which it was closed. */
  @Test
  void nobodyIsInsideWhileItIsClosed() throws InterruptedException {
    AtomicInteger inside = new AtomicInteger();
    AtomicBoolean over = new AtomicBoolean();
    CountDownLatch begun = new CountDownLatch(THREADS);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      threads.add(Thread.ofPlatform().start(() -> goInAndOut(number, begun, over, inside)));
    }
    begun.await();
    for (int round = 0; round < ROUNDS; round++) {
      assertTrue(gate.close(Patience.milliseconds(), knocks::incrementAndGet));
      for (int i = 0; i < 100; i++) {
        assertEquals(0, inside.get());
        Thread.onSpinWait();
      }
      gate.open();
    }
    over.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void goInAndOut(
      int number, CountDownLatch begun, AtomicBoolean over, AtomicInteger inside) {
    while (!over.get()) {
      gate.enter(number);
      inside.incrementAndGet();
      inside.decrementAndGet();
      gate.leave(number);
      begun.countDown();
    }
  }
}
