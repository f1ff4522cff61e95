// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.quota;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.devices.SilentConsole;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.nvml.NvmlDriver;
import io.outboard.softgpu.SoftGpu;
import io.outboard.wire.Native;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Memory that no call names, against the limit of a lease. */
final class DriverQuotaTest {
  private static final long MIB = 1 << 20;
  private static final long LIMIT = 64 * MIB;
  private static final int VARIABLE = 10_000_000;

  // CUlimit.
  private static final int STACK = 0;
  private static final int PRINTF = 1;
  private static final int HEAP = 2;

  private final NativeBuffer buffer = new NativeBuffer(4096);
  private final long out = buffer.address();
  private final long second = out + 8;
  private final SoftGpu gpu =
      SoftGpu.builder(new SilentConsole()).devices(2).memoryBytes(1L << 30).build();
  private final List<String> told = new ArrayList<>();
  private QuotaPage page;
  private MemoryCredit credit;
  private CudaDriver driver;

  @BeforeEach
  void limit() throws IOException {
    page = QuotaPage.create(List.of(LIMIT, LIMIT / 2));
    credit = new MemoryCredit(page, 0);
    driver = limited(device -> OptionalLong.of(gpu.takenBytes(device)));
    check(driver.cuInit(0));
    enter();
  }

  @AfterEach
  void close() {
    page.close();
    buffer.close();
  }

  private CudaDriver limited(ProcessMemory process) {
    return new DriverQuota(new MemoryQuota(gpu, credit), credit, process, told::add);
  }

  private long enter() {
    long context = made(driver.cuDevicePrimaryCtxRetain(out, 0));
    check(driver.cuCtxSetCurrent(context));
    return context;
  }

  private static void check(int result) {
    assertEquals(CudaResult.SUCCESS, result);
  }

  private static void refused(int result) {
    assertEquals(CudaResult.OUT_OF_MEMORY, result);
  }

  private long made(int result) {
    check(result);
    return Native.getLong(out);
  }

  private static String ptx(long variable, int local) {
    return """
        .version 7.0
        .target sm_52
        .address_size 64
        .visible .global .align 16 .b8 big[%d];
        .visible .entry run()
        {
          .local .align 8 .b8 own[%d];
          .reg .b64 %%rd<4>;
          mov.u64 %%rd1, own;
          st.local.u8 [%%rd1], 1;
          ret;
        }
        """
        .formatted(variable, local);
  }

  private interface Loader {
    int load(long image, long bytes);
  }

  private static int image(String text, Loader loader) {
    byte[] bytes = (text + "\0").getBytes(StandardCharsets.UTF_8);
    try (NativeBuffer image = new NativeBuffer(bytes.length)) {
      for (int i = 0; i < bytes.length; i++) {
        Native.putByte(image.address() + i, bytes[i]);
      }
      return loader.load(image.address(), bytes.length);
    }
  }

  private int module(String text) {
    return image(text, (at, bytes) -> driver.cuModuleLoadData(out, at, bytes));
  }

  private long library(String text) {
    return made(image(text, (at, bytes) -> driver.cuLibraryLoadData(out, at, bytes)));
  }

  private long named(String text) {
    long place = out + 1024;
    for (int i = 0; i < text.length(); i++) {
      Native.putByte(place + i, (byte) text.charAt(i));
    }
    Native.putByte(place + text.length(), (byte) 0);
    return place;
  }

  private int launch(long function) {
    return driver.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0);
  }

  @Test
  void variablesOfModulesAreCountedAndGivenBack() {
    long first = made(module(ptx(VARIABLE, 8)));
    for (int i = 1; i < 6; i++) {
      check(module(ptx(VARIABLE, 8)));
    }
    refused(module(ptx(VARIABLE, 8)));
    refused(driver.cuMemAlloc_v2(out, 8 * MIB));
    assertTrue(page.used(0) >= 6 * VARIABLE && page.used(0) <= LIMIT, () -> "" + page.used(0));
    check(driver.cuModuleUnload(first));
    assertTrue(page.used(0) < 5 * VARIABLE + MIB, () -> "" + page.used(0));
    check(module(ptx(VARIABLE, 8)));
    check(driver.cuDevicePrimaryCtxReset_v2(0));
    assertEquals(0, page.used(0));
    assertEquals(0, gpu.takenBytes(0), "nothing stays behind");
  }

  @Test
  void aRefusedModuleTakesNothing() {
    made(driver.cuMemAlloc_v2(out, LIMIT - MIB));
    long before = page.used(0);
    long taken = gpu.takenBytes(0);
    refused(module(ptx(VARIABLE, 8)));
    assertEquals(before, page.used(0));
    assertEquals(taken, gpu.takenBytes(0));
  }

  @Test
  void aModuleThatCannotBeLoadedTakesNothing() {
    assertTrue(module(ptx(VARIABLE, 8).replace("st.local", "keep.local")) != CudaResult.SUCCESS);
    assertEquals(0, page.used(0));
  }

  @Test
  void twoThatLoadAtOnceDoNotBothTakeWhatIsLeft() throws Exception {
    long context = Native.getLong(out);
    made(driver.cuMemAlloc_v2(out, LIMIT - VARIABLE - MIB));
    for (int round = 0; round < 20; round++) {
      AtomicInteger loaded = new AtomicInteger();
      CyclicBarrier together = new CyclicBarrier(2);
      Runnable load =
          () -> {
            try (NativeBuffer place = new NativeBuffer(Long.BYTES)) {
              check(driver.cuCtxSetCurrent(context));
              meet(together);
              int result =
                  image(
                      ptx(VARIABLE, 8),
                      (at, bytes) -> driver.cuModuleLoadData(place.address(), at, bytes));
              meet(together);
              if (result == CudaResult.SUCCESS) {
                loaded.incrementAndGet();
                check(driver.cuModuleUnload(Native.getLong(place.address())));
              }
            }
          };
      Thread other = Thread.ofPlatform().start(load);
      load.run();
      other.join();
      assertTrue(loaded.get() < 2, "both were loaded");
    }
  }

  @Test
  void aLibraryIsCountedInEachContextThatUsesIt() {
    long library = library(ptx(3 * VARIABLE, 8));
    assertTrue(page.used(0) < MIB, "it is of no context yet");
    check(driver.cuLibraryGetGlobal(out, second, library, named("big")));
    assertTrue(page.used(0) >= 3 * VARIABLE);
    check(driver.cuLibraryGetModule(out, library));
    assertTrue(page.used(0) < 3 * VARIABLE + MIB, "once");
    made(driver.cuCtxCreate_v2(out, 0, 0));
    check(driver.cuLibraryGetModule(out, library));
    assertTrue(page.used(0) >= 6 * VARIABLE);
    made(driver.cuCtxCreate_v2(out, 0, 0));
    refused(driver.cuLibraryGetModule(out, library));
    refused(driver.cuLibraryGetGlobal(out, second, library, named("big")));
    check(driver.cuLibraryUnload(library));
    assertTrue(page.used(0) < MIB, () -> "" + page.used(0));
  }

  @Test
  void aLaunchThatLoadsALibraryIsCounted() {
    long library = library(ptx(6 * VARIABLE, 8));
    long kernel = made(driver.cuLibraryGetKernel(out, library, named("run")));
    long memory = made(driver.cuMemAlloc_v2(out, 8 * MIB));
    refused(launch(kernel));
    refused(driver.cuKernelGetFunction(out, kernel));
    check(driver.cuMemFree_v2(memory));
    check(launch(kernel));
    assertTrue(page.used(0) >= 6 * VARIABLE);
    check(driver.cuCtxSynchronize());
  }

  @Test
  void aFoundKernelOfAListIsOneOfTheLibrary() {
    long library = library(ptx(6 * VARIABLE, 8));
    check(driver.cuLibraryEnumerateKernels(out, 1, library));
    long kernel = Native.getLong(out);
    made(driver.cuMemAlloc_v2(out, 8 * MIB));
    refused(launch(kernel));
  }

  @Test
  void buffersOfAContextAreCountedBeyondWhatItHas() {
    for (int limit : List.of(PRINTF, HEAP)) {
      check(driver.cuCtxGetLimit(out, limit));
      long before = Native.getLong(out);
      refused(driver.cuCtxSetLimit(limit, before + LIMIT + 1));
      check(driver.cuCtxGetLimit(out, limit));
      assertEquals(before, Native.getLong(out), "a refused limit changes nothing");
      check(driver.cuCtxSetLimit(limit, before + 40 * MIB));
      assertEquals(40 * MIB, page.used(0));
      refused(driver.cuMemAlloc_v2(out, 30 * MIB));
      check(driver.cuCtxSetLimit(limit, before));
      assertEquals(0, page.used(0));
    }
    refused(driver.cuCtxSetLimit(HEAP, -1));
  }

  @Test
  void aHeapThatTwoMakeSmallerIsGivenBackOnce() throws Exception {
    long context = Native.getLong(out);
    check(driver.cuCtxGetLimit(out, HEAP));
    long before = Native.getLong(out);
    CyclicBarrier together = new CyclicBarrier(2);
    for (int round = 0; round < 50; round++) {
      check(driver.cuCtxSetLimit(HEAP, before + 40 * MIB));
      Thread other =
          Thread.ofPlatform()
              .start(
                  () -> {
                    check(driver.cuCtxSetCurrent(context));
                    meet(together);
                    check(driver.cuCtxSetLimit(HEAP, before));
                  });
      meet(together);
      check(driver.cuCtxSetLimit(HEAP, before));
      other.join();
      assertEquals(0, page.used(0));
    }
  }

  private static void meet(CyclicBarrier together) {
    try {
      together.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }

  /** So many threads may be there at once. */
  private long threads() {
    check(driver.cuDeviceGetAttribute(out, 16, 0));
    long multiprocessors = Native.getInt(out);
    check(driver.cuDeviceGetAttribute(out, 39, 0));
    return multiprocessors * Native.getInt(out);
  }

  @Test
  void stacksAreCountedForAllThreads() {
    check(driver.cuCtxGetLimit(out, STACK));
    long before = Native.getLong(out);
    refused(driver.cuCtxSetLimit(STACK, before + LIMIT / threads() + 1));
    refused(driver.cuCtxSetLimit(STACK, Long.MAX_VALUE));
    check(driver.cuCtxSetLimit(STACK, before + 1024));
    assertEquals(1024 * threads(), page.used(0));
    long own = made(driver.cuCtxCreate_v2(out, 0, 0));
    check(driver.cuCtxSetLimit(STACK, before + 2048));
    assertEquals(3072 * threads(), page.used(0));
    check(driver.cuCtxDestroy_v2(own));
    assertEquals(1024 * threads(), page.used(0));
  }

  @Test
  void localMemoryOfAKernelIsCountedBeforeItRuns() {
    int local = (int) (LIMIT / threads()) / 2 + 4096;
    check(module(ptx(8, local)));
    long function = made(driver.cuModuleGetFunction(out, Native.getLong(out), named("run")));
    long memory = made(driver.cuMemAlloc_v2(out, LIMIT - MIB));
    refused(launch(function));
    check(driver.cuMemFree_v2(memory));
    check(launch(function));
    long used = page.used(0);
    assertTrue(used >= (local - 1024) * threads(), () -> "" + used);
    check(launch(function));
    assertEquals(used, page.used(0), "once");
    check(driver.cuCtxSynchronize());
  }

  @Test
  void whatAContextTakesIsReadWhereTheDeviceTells() {
    AtomicLong own = new AtomicLong();
    CudaDriver told = limited(_ -> OptionalLong.of(own.get()));
    own.set(LIMIT - MIB);
    long context = made(told.cuCtxCreate_v2(out, 0, 0));
    assertEquals(LIMIT - MIB, page.used(0));
    refused(told.cuMemAlloc_v2(out, 2 * MIB));
    own.set(LIMIT + MIB);
    refused(told.cuCtxCreate_v2(out, 0, 0));
    own.set(0);
    check(told.cuCtxDestroy_v2(context));
    assertEquals(0, page.used(0));
  }

  @Test
  void anImageThatNobodyCanReadIsRefusedOnlyWhereTheDeviceDoesNotTell() {
    CudaDriver untold = limited(ProcessMemory.UNKNOWN);
    long context = made(untold.cuDevicePrimaryCtxRetain(out, 0));
    check(untold.cuCtxSetCurrent(context));
    String odd = ".version 7.0\n.target sm_52\n.address_size 64\n.global .odd x;\n";
    refused(image(odd, (at, bytes) -> untold.cuModuleLoadData(out, at, bytes)));
    refused(image(odd, (at, bytes) -> untold.cuLibraryLoadData(out, at, bytes)));
    check(image(ptx(VARIABLE, 8), (at, bytes) -> untold.cuModuleLoadData(out, at, bytes)));
    assertEquals(VARIABLE, page.used(0));
    assertEquals(2, told.size(), told::toString);
    assertEquals(CudaResult.INVALID_PTX, module(odd), "the driver says what is wrong");
  }

  @Test
  void theManagementLibraryIsAskedForThisProcess() {
    NvmlDriver management = gpu.management((int) ProcessHandle.current().pid());
    check(management.nvmlInit_v2());
    check(management.nvmlDeviceGetHandleByIndex_v2(0, out));
    check(management.nvmlDeviceGetUUID(Native.getLong(out), second, 96));
    List<String> uuids = List.of(Native.MEMORY.getString(second));
    made(driver.cuMemAlloc_v2(out, MIB));
    OptionalLong told = new NvmlProcessMemory(() -> management, uuids).bytes(0);
    assertEquals(OptionalLong.of(MIB), told);
    NvmlDriver others = gpu.management(1);
    check(others.nvmlInit_v2());
    assertTrue(new NvmlProcessMemory(() -> others, uuids).bytes(0).isEmpty());
    assertTrue(new NvmlProcessMemory(() -> null, uuids).bytes(0).isEmpty());
  }

  @Test
  void functionsThatWereSeenAreFoundAndNoOthers() {
    SeenFunctions seen = new SeenFunctions();
    for (long i = 1; i <= 5_000; i++) {
      assertTrue(!seen.has(i * 256, 4 + i % 4));
      seen.add(i * 256, 4 + i % 4);
    }
    for (long i = 1; i <= 5_000; i++) {
      assertTrue(seen.has(i * 256, 4 + i % 4));
      assertTrue(!seen.has(i * 256, 9));
      assertTrue(!seen.has(i * 256 + 8, 4 + i % 4));
    }
    seen.clear();
    assertTrue(!seen.has(256, 5));
  }
}
