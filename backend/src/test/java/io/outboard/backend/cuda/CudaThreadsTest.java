// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Handles;
import io.outboard.wire.Native;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class CudaThreadsTest {
  private static final long FIRST = 1L << 34 | 5;
  private static final long SECOND = 1L << 34 | 6;
  private static final long VALUE = 0x1000;

  /** The context of each thread, as a vendor's driver keeps it. */
  private final ThreadLocal<Long> current = ThreadLocal.withInitial(() -> 0L);

  private long streams;
  private int refusal;
  private final CudaDriver driver =
      (CudaDriver)
          Proxy.newProxyInstance(
              getClass().getClassLoader(), new Class<?>[] {CudaDriver.class}, this::call);
  private final LostContexts lost = new LostContexts(result -> result == 700 || result == 710);
  private final CudaThreads threads = new CudaThreads(driver, lost);

  @SuppressWarnings("UnusedVariable") // the shape of an InvocationHandler
  private Object call(Object proxy, Method method, Object[] arguments) {
    switch (method.getName()) {
      case "cuCtxSetCurrent" -> {
        return setCurrent((long) arguments[0]);
      }
      case "cuCtxCreate_v2" -> current.set(VALUE + 1);
      case "cuCtxDestroy_v2" -> current.set(0L);
      case "cuStreamCreate" -> Native.putLong((long) arguments[0], 100 + streams++);
      case "cuDevicePrimaryCtxRetain" -> Native.putLong((long) arguments[0], VALUE);
      case "cuDevicePrimaryCtxGetState" -> Native.putInt((long) arguments[2], 0);
      default -> {}
    }
    return refusal;
  }

  private int setCurrent(long value) {
    if (value != 0 && refusal != 0) {
      return refusal;
    }
    current.set(value);
    return CudaResult.SUCCESS;
  }

  @Test
  void aContextIsTheThreadsUntilAnotherIs() {
    threads.enter(FIRST, VALUE);
    assertTrue(threads.isIn(FIRST));
    assertFalse(threads.isIn(SECOND));
    assertFalse(CompletableFuture.supplyAsync(() -> threads.isIn(FIRST)).join());
    assertEquals(VALUE, current.get());
  }

  @Test
  void anotherContextMayHaveTheSameValue() {
    threads.enter(FIRST, VALUE);
    current.set(0L);
    assertFalse(threads.isIn(FIRST + (1 << 20)));
  }

  @Test
  void creatingLeavesTheThreadInNoneThatIsKnown() {
    threads.enter(FIRST, VALUE);
    assertEquals(0, threads.cuCtxCreate_v2(0, 0, 0));
    assertEquals(0, current.get());
    assertFalse(threads.isIn(FIRST));
    threads.enter(FIRST, VALUE);
    assertEquals(0, threads.cuCtxDestroy_v2(VALUE));
    assertFalse(threads.isIn(FIRST));
  }

  @Test
  void aContextThatCannotBeEnteredIsNotTakenForAnother() {
    threads.enter(FIRST, VALUE);
    refusal = 700;
    threads.enter(SECOND, VALUE + 1);
    assertEquals(0, current.get());
    assertFalse(threads.isIn(FIRST));
    assertFalse(threads.isIn(SECOND));
  }

  @Test
  void aContextThatCannotBeEnteredAsItIsLostSaysWhy() {
    refusal = 710;
    threads.enter(FIRST, VALUE);
    assertEquals(710, lost.told(FIRST, CudaResult.INVALID_CONTEXT));
    assertEquals(710, lost.told(FIRST, CudaResult.INVALID_HANDLE));
    assertEquals(CudaResult.INVALID_VALUE, lost.told(FIRST, CudaResult.INVALID_VALUE));
    assertEquals(CudaResult.INVALID_HANDLE, lost.told(SECOND, CudaResult.INVALID_HANDLE));
    assertEquals(CudaResult.SUCCESS, lost.told(FIRST, CudaResult.SUCCESS));
    refusal = 0;
    assertEquals(0, threads.cuDevicePrimaryCtxReset_v2(0));
    assertEquals(CudaResult.INVALID_HANDLE, lost.told(FIRST, CudaResult.INVALID_HANDLE));
  }

  @Test
  void theFirstReasonOfALostContextStays() {
    assertEquals(700, lost.told(FIRST, 700));
    assertEquals(710, lost.told(FIRST, 710));
    assertEquals(700, lost.told(FIRST, CudaResult.INVALID_HANDLE));
  }

  @Test
  void aThreadOfTheClientHasOneStreamInAContext() {
    Set<Long> seen = new HashSet<>();
    for (int thread : new int[] {0, 1, 63, 64, 65_535}) {
      long stream = threads.streamOf(thread, FIRST, VALUE);
      assertTrue(seen.add(stream));
      assertEquals(
          stream,
          CompletableFuture.supplyAsync(() -> threads.streamOf(thread, FIRST, VALUE)).join());
      assertTrue(seen.add(threads.streamOf(thread, SECOND, VALUE + 1)));
    }
  }

  @Test
  void aStreamEndsWithItsContext() {
    long before = threads.streamOf(1, FIRST, VALUE);
    long other = threads.streamOf(1, SECOND, VALUE + 1);
    threads.cuCtxDestroy_v2(VALUE);
    assertNotEquals(before, threads.streamOf(1, FIRST, VALUE));
    assertEquals(other, threads.streamOf(1, SECOND, VALUE + 1));
  }

  @Test
  void aStreamEndsWithThePrimaryContext() {
    try (NativeBuffer buffer = new NativeBuffer(8)) {
      assertEquals(0, threads.cuDevicePrimaryCtxRetain(buffer.address(), 1));
    }
    long first = threads.streamOf(1, FIRST, VALUE);
    assertEquals(0, threads.cuDevicePrimaryCtxRelease_v2(0));
    assertEquals(first, threads.streamOf(1, FIRST, VALUE));
    assertEquals(0, threads.cuDevicePrimaryCtxRelease_v2(1));
    long second = threads.streamOf(1, FIRST, VALUE);
    assertNotEquals(first, second);
    assertEquals(0, threads.cuDevicePrimaryCtxReset_v2(1));
    assertNotEquals(second, threads.streamOf(1, FIRST, VALUE));
  }

  @Test
  void aStreamThatCannotBeMadeIsNone() {
    refusal = CudaResult.OUT_OF_MEMORY;
    assertEquals(Handles.INVALID, threads.streamOf(1, FIRST, VALUE));
    refusal = 0;
    assertNotEquals(Handles.INVALID, threads.streamOf(1, FIRST, VALUE));
  }
}
