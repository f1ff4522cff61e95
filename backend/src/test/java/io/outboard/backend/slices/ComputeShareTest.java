// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.slices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.FakeGpu;
import io.outboard.backend.devices.SilentConsole;
import io.outboard.backend.quota.QuotaPage;
import io.outboard.backend.system.EventCount;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.backend.system.Pause;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.patience.Patience;
import io.outboard.softgpu.SoftGpu;
import io.outboard.wire.Native;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A lease's decorator among real threads. */
final class ComputeShareTest {
  private SliceKeeper keeper;

  @BeforeEach
  void start() throws IOException {
    keeper = SliceKeeper.start();
  }

  @AfterEach
  void close() {
    keeper.close();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aLeaseThatGoesToOtherDevicesIsNotCountedTwice() throws Exception {
    QuotaPage page = QuotaPage.create(List.of(1L));
    SliceKeeper.Tenancy before = keeper.lend(List.of(0), 500, page);
    before.join(0);
    page.slice(0, 0).busy(1_000);
    assertEquals(List.of(1_000L), before.busy());
    before.close();
    SliceKeeper.Tenancy after = keeper.lend(List.of(1), 500, page);
    after.join(0);
    assertEquals(List.of(0L), after.busy());
    page.slice(0, 0).busy(1_500);
    assertEquals(List.of(500L), after.busy());
    after.close();
    page.close();
  }

  @Test
  void whoBeginsWorkDoesNotWaitForALookButWhoEndsAContextDoes() throws Exception {
    QuotaPage page = QuotaPage.create(List.of(1L));
    SliceKeeper.Tenancy tenancy = keeper.lend(List.of(0), 500, page);
    tenancy.join(0);
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    FakeGpu gpu = new FakeGpu(System::nanoTime);
    gpu.answerSlowly(
        () -> {
          asked.countDown();
          await(answered);
        });
    SliceMeter meter = new SliceMeter(gpu, page.slice(0, 0), EventCount.map(keeper.events()));
    meter.begin();
    check(meter.begun(FakeGpu.CONTEXT, 0, CudaResult.SUCCESS));
    asked.await();
    meter.begin();
    check(meter.begun(FakeGpu.CONTEXT, 0, CudaResult.SUCCESS));
    Thread ends = Thread.ofPlatform().start(() -> meter.ending(0, FakeGpu.CONTEXT));
    // The event that is asked about must not end.
    Patience.untilWaits(ends);
    answered.countDown();
    ends.join();
    meter.close();
    tenancy.close();
  }

  /** Launches this many kernels, each of a tenth of a millisecond, in slices that a lease gets. */
  private Thread program(SliceKeeper.Tenancy tenancy, QuotaPage page, int kernels)
      throws IOException {
    tenancy.join(0);
    FakeGpu gpu = new FakeGpu(System::nanoTime);
    SliceMeter meter = new SliceMeter(gpu, page.slice(0, 0), EventCount.map(keeper.events()));
    ComputeShare driver = new ComputeShare(gpu, List.of(meter));
    return Thread.ofPlatform().start(() -> launch(driver, meter, kernels));
  }

  private static void launch(CudaDriver driver, SliceMeter meter, int kernels) {
    try (NativeBuffer buffer = new NativeBuffer(Long.BYTES)) {
      check(driver.cuDevicePrimaryCtxRetain(buffer.address(), 0));
      check(driver.cuCtxSetCurrent(Native.getLong(buffer.address())));
      for (int i = 0; i < kernels; i++) {
        check(driver.cuLaunchKernel(0, 100, 1, 1, 1, 1, 1, 0, 0, 0, 0));
      }
      meter.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** How much each one gets is SliceMeterTest's. */
  @Test
  void programsOfTwoLeasesBothGoOn() throws Exception {
    QuotaPage one = QuotaPage.create(List.of(1L));
    QuotaPage other = QuotaPage.create(List.of(1L));
    try (SliceKeeper.Tenancy first = keeper.lend(List.of(0), 900, one);
        SliceKeeper.Tenancy second = keeper.lend(List.of(0), 100, other)) {
      Thread ends = program(first, one, 1_000);
      program(second, other, 1_000).join();
      ends.join();
      assertTrue(first.leave(0).getFirst() > 0, "it was busy");
      assertTrue(second.leave(0).getFirst() > 0, "it was busy");
    }
    one.close();
    other.close();
  }

  private static void check(int result) {
    assertEquals(CudaResult.SUCCESS, result);
  }

  private static long made(NativeBuffer buffer, int result) {
    check(result);
    return Native.getLong(buffer.address());
  }

  /** The events behind what is begun are in nobody's way. */
  @Test
  void capturesStreamsAndContextsAreAsTheyAre() throws Exception {
    QuotaPage page = QuotaPage.create(List.of(1L));
    SliceKeeper.Tenancy tenancy = keeper.lend(List.of(0), 500, page);
    tenancy.join(0);
    SoftGpu gpu = SoftGpu.builder(new SilentConsole()).memoryBytes(1L << 30).build();
    SliceMeter meter = new SliceMeter(gpu, page.slice(0, 0), EventCount.map(keeper.events()));
    ComputeShare driver = new ComputeShare(gpu, List.of(meter));
    check(driver.cuInit(0));
    try (NativeBuffer buffer = new NativeBuffer(Long.BYTES)) {
      for (int i = 0; i < 10; i++) {
        oneContext(driver, buffer);
      }
    }
    assertTrue(tenancy.busy().getFirst() > 0, "what was filled took time");
    meter.close();
    tenancy.close();
  }

  private static void oneContext(CudaDriver driver, NativeBuffer buffer) {
    long bytes = 8 << 20;
    long context = made(buffer, driver.cuCtxCreate_v2(buffer.address(), 0, 0));
    long memory = made(buffer, driver.cuMemAlloc_v2(buffer.address(), bytes));
    long stream = made(buffer, driver.cuStreamCreate(buffer.address(), 1));
    check(driver.cuMemsetD8Async(memory, (byte) 1, bytes, stream));
    check(driver.cuStreamBeginCapture_v2(stream, 2));
    check(driver.cuMemsetD8Async(memory, (byte) 2, bytes, stream));
    Pause.ms(5);
    long graph = made(buffer, driver.cuStreamEndCapture(stream, buffer.address()));
    long executable = made(buffer, driver.cuGraphInstantiateWithFlags(buffer.address(), graph, 0));
    check(driver.cuGraphLaunch(executable, stream));
    check(driver.cuStreamSynchronize(stream));
    check(driver.cuMemcpyDtoH_v2(buffer.address(), memory, 1));
    assertEquals(2, Native.getByte(buffer.address()));
    check(driver.cuMemsetD8_v2(memory, (byte) 3, bytes));
    check(driver.cuMemsetD8Async(memory, (byte) 4, bytes, stream));
    check(driver.cuStreamDestroy_v2(stream));
    check(driver.cuCtxDestroy_v2(context));
  }
}
