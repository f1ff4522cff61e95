// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import static io.outboard.softgpu.Program.ok;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Work of one thread on two devices (CUDA C++ Programming Guide, "Multi-Device System"). */
class NeighbourTest extends DriverTest {
  private final HostFunctions functions = new HostFunctions();
  private final CountDownLatch latch = new CountDownLatch(1);
  private long first;
  private long second;

  @BeforeEach
  void retainBoth() {
    first = context(0);
    second = context(1);
  }

  private long context(int device) {
    ok(driver().cuDevicePrimaryCtxRetain(program().out(), device));
    return program().value();
  }

  private void enter(long context) {
    ok(driver().cuCtxSetCurrent(context));
  }

  @AfterEach
  void freeFunctions() {
    latch.countDown();
    for (long context : new long[] {first, second}) {
      enter(context);
      ok(driver().cuCtxSynchronize());
    }
    functions.close();
  }

  /** A stream of the current context that does nothing until the latch is open. */
  private long held() {
    long stream = program().stream(1);
    ok(driver().cuLaunchHostFunc(stream, functions.address(unused -> awaitLatch()), 0));
    return stream;
  }

  private void awaitLatch() {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** Opens the latch when a thread waits, or has not waited. */
  private Thread openFor(Thread waiting, AtomicBoolean done) {
    return Thread.ofPlatform()
        .start(
            () -> {
              while (waiting.getState() != Thread.State.WAITING && !done.get()) {
                Thread.onSpinWait();
              }
              latch.countDown();
            });
  }

  @Test
  void copiesAreInTheStreamsOfAnyContext() {
    enter(second);
    long there = program().array(1, 2);
    long stream = held();
    enter(first);
    long here = program().array(3, 4);
    ok(driver().cuMemcpyDtoDAsync_v2(there, here, 8, stream));
    ok(driver().cuMemcpyHtoDAsync_v2(there, program().ints(5), 4, stream));
    ok(driver().cuMemcpyPeerAsync(here, first, there, second, 4, stream));
    ok(driver().cuMemsetD32Async(there, 6, 1, stream));
    assertEquals(CudaResult.NOT_READY, driver().cuStreamQuery(stream));
    latch.countDown();
    long data = program().bytes(8);
    ok(driver().cuMemcpyDtoHAsync_v2(data, there, 8, stream));
    assertEquals(6, Native.getInt(data));
    assertEquals(4, Native.getInt(data + 4));
    assertArrayEquals(new int[] {5, 4}, program().read(here, 2));
  }

  @Test
  void eventsAreOfTheirStreamsContext() {
    enter(second);
    long stream = held();
    long there = program().event(0);
    enter(first);
    long here = program().event(0);
    long own = program().stream(1);
    assertEquals(CudaResult.INVALID_HANDLE, driver().cuEventRecord(here, stream));
    assertEquals(CudaResult.INVALID_HANDLE, driver().cuEventRecord(there, own));
    ok(driver().cuEventRecord(there, stream));
    ok(driver().cuStreamWaitEvent(own, there, 0));
    ok(driver().cuEventRecord(here, own));
    enter(second);
    ok(driver().cuStreamWaitEvent(own, there, 0));
    assertEquals(CudaResult.NOT_READY, driver().cuEventQuery(here));
    latch.countDown();
    ok(driver().cuEventSynchronize(here));
  }

  /** It has no stream: it is in order with all work of both contexts and the current one. */
  @Test
  void aCopyBetweenContextsWaitsForTheirWork() throws InterruptedException {
    enter(second);
    long there = program().array(1);
    long stream = held();
    ok(driver().cuMemcpyHtoDAsync_v2(there, program().ints(2), 4, stream));
    enter(first);
    long here = program().array(3);
    AtomicBoolean done = new AtomicBoolean();
    Thread opener = openFor(Thread.currentThread(), done);
    ok(driver().cuMemcpyPeer(here, first, there, second, 4));
    int[] copied = program().read(here, 1);
    done.set(true);
    opener.join();
    assertArrayEquals(new int[] {2}, copied);
  }
}
