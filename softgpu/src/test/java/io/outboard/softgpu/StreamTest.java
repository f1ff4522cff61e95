// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import static io.outboard.softgpu.Program.ok;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.cuda.CudaResult;
import io.outboard.patience.Patience;
import io.outboard.softgpu.device.Stream;
import io.outboard.wire.Native;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamTest extends DriverTest {
  private final HostFunctions functions = new HostFunctions();

  @AfterEach
  void freeFunctions() {
    driver().cuCtxSynchronize();
    functions.close();
  }

  /** Host functions that note when they began and ended, in random streams. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void keepsTheOrderOfTheDefaultStream(long seed) {
    Random random = new Random(seed);
    int count = 400;
    int[] began = new int[count];
    int[] ended = new int[count];
    long[] streams = {0, 1, 2, program().stream(0), program().stream(0), program().stream(1)};
    long[] used = new long[count];
    AtomicInteger clock = new AtomicInteger();
    long note =
        functions.address(
            index -> {
              began[(int) index] = clock.incrementAndGet();
              LockSupport.parkNanos(index % 3 == 0 ? 20_000 : 0);
              ended[(int) index] = clock.incrementAndGet();
            });
    for (int i = 0; i < count; i++) {
      used[i] = streams[random.nextInt(streams.length)];
      ok(driver().cuLaunchHostFunc(used[i], note, i));
      if (random.nextInt(40) == 0) {
        ok(driver().cuStreamSynchronize(used[i]));
        assertNotEquals(0, ended[i]);
      }
    }
    ok(driver().cuCtxSynchronize());
    for (int i = 0; i < count; i++) {
      for (int j = i + 1; j < count; j++) {
        if (isOrdered(used[i], used[j], streams[5])) {
          assertTrue(ended[i] < began[j], "operation " + j + " began before " + i + " ended");
        }
      }
    }
    assertEquals(2 * count, clock.get());
  }

  private static boolean isOrdered(long first, long second, long nonBlocking) {
    long a = first == 1 ? 0 : first;
    long b = second == 1 ? 0 : second;
    return a == b || ((a == 0 || b == 0) && a != nonBlocking && b != nonBlocking);
  }

  @Test
  void streamsRunAtTheSameTime() {
    CountDownLatch latch = new CountDownLatch(1);
    AtomicInteger met = new AtomicInteger();
    long wait = functions.address(unused -> met.addAndGet(await(latch)));
    long open = functions.address(unused -> latch.countDown());
    ok(driver().cuLaunchHostFunc(program().stream(0), wait, 0));
    ok(driver().cuLaunchHostFunc(program().stream(0), open, 0));
    ok(driver().cuCtxSynchronize());
    assertEquals(1, met.get());
  }

  /** Its address is another allocation's at once, which the free one's end must not meet. */
  @Test
  void memoryIsThereAgainWhileItsFreeEnds() {
    long stream = program().stream(1);
    long pointer = program().out();
    for (int i = 0; i < 50_000; i++) {
      ok(driver().cuMemAllocAsync(pointer, 128, stream));
      ok(driver().cuMemFreeAsync(Native.getLong(pointer), stream));
    }
    ok(driver().cuStreamSynchronize(stream));
  }

  private static int await(CountDownLatch latch) {
    try {
      return latch.await(Patience.milliseconds(), TimeUnit.MILLISECONDS) ? 1 : 0;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }

  @Test
  void workGoesOnWithoutAnybodyWaiting() {
    CountDownLatch latch = new CountDownLatch(1);
    long open = functions.address(unused -> latch.countDown());
    ok(driver().cuLaunchHostFunc(0, open, 0));
    assertEquals(1, await(latch));
  }

  @Test
  void copiesGoPastARunningKernel() {
    long flag = program().array(0);
    long kernelStream = program().stream(1);
    long copyStream = program().stream(1);
    long wait = program().function(program().module(), "waitFor");
    ok(program().launchOne(wait, kernelStream, flag));
    assertEquals(CudaResult.NOT_READY, driver().cuStreamQuery(kernelStream));
    ok(driver().cuMemcpyHtoDAsync_v2(flag, program().ints(1), 4, copyStream));
    ok(driver().cuStreamSynchronize(kernelStream));
    ok(driver().cuStreamQuery(kernelStream));
  }

  @Test
  void aFullStreamBlocksTheCaller() throws InterruptedException {
    long stream = program().stream(0);
    CountDownLatch latch = new CountDownLatch(1);
    AtomicInteger done = new AtomicInteger();
    long wait = functions.address(unused -> await(latch));
    long count = functions.address(unused -> done.incrementAndGet());
    ok(driver().cuLaunchHostFunc(stream, wait, 0));
    long out = program().bytes(8);
    ok(driver().cuCtxGetId(0, out));
    AtomicInteger submitted = new AtomicInteger();
    Thread thread =
        new Thread(
            () -> {
              driver().cuCtxSetCurrent(Native.getLong(out));
              for (int i = 0; i < 3000; i++) {
                driver().cuLaunchHostFunc(stream, count, 0);
                submitted.incrementAndGet();
              }
            });
    thread.start();
    while (submitted.get() < Stream.LIMIT - 1) {
      Thread.onSpinWait();
    }
    Patience.untilWaits(thread);
    assertEquals(Stream.LIMIT - 1, submitted.get());
    latch.countDown();
    join(thread);
    ok(driver().cuStreamSynchronize(stream));
    assertEquals(3000, done.get());
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aDestroyedStreamDoesItsWork() {
    AtomicInteger done = new AtomicInteger();
    long count =
        functions.address(
            unused -> {
              LockSupport.parkNanos(100_000);
              done.incrementAndGet();
            });
    for (int round = 0; round < 50; round++) {
      long stream = program().stream(round & 1);
      ok(driver().cuLaunchHostFunc(stream, count, 0));
      ok(driver().cuLaunchHostFunc(stream, count, 0));
      ok(driver().cuStreamDestroy_v2(stream));
      assertEquals(CudaResult.INVALID_HANDLE, driver().cuStreamQuery(stream));
    }
    ok(driver().cuCtxSynchronize());
    assertEquals(100, done.get());
  }

  @Test
  void figuresOfAStream() {
    long out = program().out();
    long stream = program().stream(1);
    ok(driver().cuStreamGetFlags(stream, out));
    assertEquals(1, program().intValue());
    ok(driver().cuStreamGetPriority(stream, out));
    assertEquals(0, program().intValue());
    ok(driver().cuStreamGetDevice(stream, out));
    assertEquals(0, program().intValue());
    ok(driver().cuStreamGetId(stream, out));
    long id = program().value();
    ok(driver().cuStreamGetId(0, out));
    assertNotEquals(id, program().value());
    ok(driver().cuCtxGetId(0, out));
    long context = program().value();
    ok(driver().cuStreamGetCtx(stream, out));
    assertEquals(context, program().value());
    assertEquals(CudaResult.INVALID_HANDLE, driver().cuStreamGetFlags(context, out));
    assertEquals(CudaResult.INVALID_VALUE, driver().cuStreamCreate(out, 6));
    assertEquals(CudaResult.INVALID_HANDLE, driver().cuStreamDestroy_v2(0));
  }

  @Test
  void eachThreadHasItsDefaultStream() {
    long out = program().bytes(16);
    ok(driver().cuStreamGetId(2, out));
    ok(driver().cuStreamGetId(2, out + 8));
    assertEquals(Native.getLong(out), Native.getLong(out + 8));
    ok(driver().cuCtxGetId(0, program().out()));
    long context = program().value();
    Thread thread =
        new Thread(
            () -> {
              driver().cuCtxSetCurrent(context);
              driver().cuStreamGetId(2, out + 8);
            });
    thread.start();
    join(thread);
    assertNotEquals(Native.getLong(out), Native.getLong(out + 8));
  }

  @Test
  void eventsOrderStreams() {
    long log = program().array(new int[128]);
    long dummy = program().allocate(4);
    long module = program().module();
    long late = program().function(module, "appendLate");
    long append = program().function(module, "append");
    long first = program().stream(1);
    long second = program().stream(1);
    long event = program().event(2);
    for (int i = 0; i < 20; i++) {
      ok(program().launchOne(late, first, log, 2 * i, dummy, 20_000));
      ok(driver().cuEventRecord(event, first));
      ok(driver().cuStreamWaitEvent(second, event, 0));
      ok(program().launchOne(append, second, log, 2 * i + 1));
      ok(driver().cuEventRecord(event, second));
      ok(driver().cuStreamWaitEvent(first, event, 0));
    }
    ok(driver().cuCtxSynchronize());
    int[] entries = program().read(log, 41);
    int[] expected = new int[41];
    expected[0] = 40;
    for (int i = 0; i < 40; i++) {
      expected[i + 1] = i;
    }
    assertArrayEquals(expected, entries);
  }

  @Test
  void eventsTellTheTime() {
    long stream = program().stream(0);
    long start = program().event(0);
    long end = program().event(0);
    long untimed = program().event(2);
    CountDownLatch latch = new CountDownLatch(1);
    long sleep =
        functions.address(
            millis -> {
              await(latch);
              LockSupport.parkNanos(1_000_000 * millis);
            });
    ok(driver().cuEventQuery(start));
    ok(driver().cuEventSynchronize(start));
    long out = program().out();
    assertEquals(CudaResult.INVALID_HANDLE, driver().cuEventElapsedTime_v2(out, start, end));
    final long before = System.nanoTime();
    ok(driver().cuEventRecord(start, stream));
    ok(driver().cuLaunchHostFunc(stream, sleep, 30));
    ok(driver().cuEventRecord(end, stream));
    ok(driver().cuEventRecord(untimed, stream));
    assertEquals(CudaResult.NOT_READY, driver().cuEventQuery(end));
    assertEquals(CudaResult.NOT_READY, driver().cuEventElapsedTime_v2(out, start, end));
    latch.countDown();
    ok(driver().cuEventSynchronize(end));
    ok(driver().cuEventElapsedTime_v2(out, start, end));
    float millis = Native.getFloat(out);
    float most = (System.nanoTime() - before) / 1e6f + 1;
    assertTrue(millis >= 29 && millis <= most, millis + " ms, of " + most);
    assertEquals(CudaResult.INVALID_HANDLE, driver().cuEventElapsedTime_v2(out, start, untimed));
    assertEquals(CudaResult.INVALID_VALUE, driver().cuEventCreate(out, 64));
    ok(driver().cuEventDestroy_v2(end));
    assertEquals(CudaResult.INVALID_HANDLE, driver().cuEventDestroy_v2(end));
  }
}
