// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import static io.outboard.softgpu.Program.ok;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import org.junit.jupiter.api.Test;

class ContextTest extends DriverTest {
  @Test
  void nothingWorksBeforeInitialisation() {
    CudaDriver fresh = create();
    long out = program().out();
    ok(fresh.cuDriverGetVersion(out));
    assertEquals(13_000, program().intValue());
    assertEquals(CudaResult.NOT_INITIALIZED, fresh.cuDeviceGetCount(out));
    assertEquals(CudaResult.NOT_INITIALIZED, fresh.cuDevicePrimaryCtxRetain(out, 0));
    assertEquals(CudaResult.NOT_INITIALIZED, fresh.cuMemAlloc_v2(out, 4));
    assertEquals(CudaResult.NOT_INITIALIZED, fresh.cuStreamCreate(out, 0));
    assertEquals(CudaResult.INVALID_VALUE, fresh.cuInit(1));
    ok(fresh.cuInit(0));
    assertEquals(CudaResult.INVALID_CONTEXT, fresh.cuMemAlloc_v2(out, 4));
  }

  @Test
  void withoutAContextCallsFail() {
    ok(driver().cuCtxSetCurrent(0));
    long out = program().out();
    assertEquals(CudaResult.INVALID_CONTEXT, driver().cuMemAlloc_v2(out, 4));
    assertEquals(CudaResult.INVALID_CONTEXT, driver().cuCtxSynchronize());
    assertEquals(CudaResult.INVALID_CONTEXT, driver().cuEventCreate(out, 0));
    assertEquals(CudaResult.INVALID_CONTEXT, driver().cuStreamSynchronize(0));
    assertEquals(CudaResult.INVALID_CONTEXT, driver().cuModuleLoadData(out, out, 4));
    assertEquals(CudaResult.INVALID_CONTEXT, driver().cuCtxSetCurrent(77));
  }

  @Test
  void aPrimaryContextKeepsItsHandle() {
    ok(driver().cuDevicePrimaryCtxRetain(program().out(), 1));
    long handle = program().value();
    ok(driver().cuDevicePrimaryCtxRelease_v2(1));
    ok(driver().cuCtxSetCurrent(handle));
    assertEquals(CudaResult.CONTEXT_IS_DESTROYED, driver().cuMemAlloc_v2(program().out(), 4));
    ok(driver().cuDevicePrimaryCtxRetain(program().out(), 1));
    assertEquals(handle, program().value());
    program().allocate(4);
    assertEquals(CudaResult.INVALID_CONTEXT, driver().cuCtxDestroy_v2(handle));
  }

  @Test
  void releasesMustBalance() {
    assertEquals(CudaResult.INVALID_CONTEXT, driver().cuDevicePrimaryCtxRelease_v2(1));
    ok(driver().cuDevicePrimaryCtxRetain(program().out(), 1));
    ok(driver().cuDevicePrimaryCtxRetain(program().out(), 1));
    ok(driver().cuDevicePrimaryCtxRelease_v2(1));
    assertEquals(1, active(1));
    ok(driver().cuDevicePrimaryCtxRelease_v2(1));
    assertEquals(0, active(1));
    assertEquals(CudaResult.INVALID_DEVICE, driver().cuDevicePrimaryCtxRelease_v2(2));
  }

  private int active(int device) {
    ok(driver().cuDevicePrimaryCtxGetState(device, program().out2(), program().out()));
    return program().intValue();
  }

  @Test
  void flagsAreKept() {
    ok(driver().cuDevicePrimaryCtxSetFlags_v2(1, 4));
    ok(driver().cuDevicePrimaryCtxGetState(1, program().out(), program().out2()));
    assertEquals(4, program().intValue());
    assertEquals(CudaResult.INVALID_VALUE, driver().cuDevicePrimaryCtxSetFlags_v2(1, 1 << 20));
  }

  @Test
  void everythingEndsWithItsContext() {
    ok(driver().cuMemGetInfo_v2(program().out(), program().out2()));
    final long freeBefore = program().value();
    ok(driver().cuCtxCreate_v2(program().out(), 0, 0));
    final long context = program().value();
    long stream = program().stream(0);
    long event = program().event(0);
    long function = program().function(program().module(), "nothing");
    program().allocate(100_000);
    ok(program().launchOne(function, stream));
    ok(driver().cuCtxDestroy_v2(context));
    assertEquals(CudaResult.INVALID_CONTEXT, driver().cuCtxSynchronize());
    ok(driver().cuDevicePrimaryCtxRetain(program().out(), 0));
    ok(driver().cuCtxSetCurrent(program().value()));
    assertEquals(CudaResult.INVALID_HANDLE, driver().cuStreamSynchronize(stream));
    assertEquals(CudaResult.INVALID_HANDLE, driver().cuEventQuery(event));
    assertEquals(CudaResult.INVALID_HANDLE, program().launchOne(function, 0));
    assertEquals(CudaResult.INVALID_CONTEXT, driver().cuCtxDestroy_v2(context));
    ok(driver().cuMemGetInfo_v2(program().out(), program().out2()));
    assertEquals(freeBefore, program().value());
  }

  @Test
  void contextsDoNotShareTheirHandles() {
    long stream = program().stream(0);
    long function = program().function(program().module(), "nothing");
    long memory = program().array(7);
    ok(driver().cuCtxCreate_v2(program().out(), 0, 0));
    assertEquals(CudaResult.INVALID_HANDLE, program().launchOne(function, 0));
    long own = program().function(program().module(), "nothing");
    assertEquals(CudaResult.INVALID_HANDLE, program().launchOne(own, stream));
    ok(program().launchOne(own, 0));
    ok(driver().cuCtxSynchronize());
    assertArrayEquals(new int[] {7}, program().read(memory, 1));
  }

  @Test
  void eachThreadHasItsOwn() throws InterruptedException {
    int[] result = new int[1];
    long out = program().bytes(8);
    Thread thread = new Thread(() -> result[0] = driver().cuMemAlloc_v2(out, 4));
    thread.start();
    thread.join();
    assertEquals(CudaResult.INVALID_CONTEXT, result[0]);
  }

  @Test
  void limitsAreKept() {
    ok(driver().cuCtxSetLimit(0, 4096));
    ok(driver().cuCtxGetLimit(program().out(), 0));
    assertEquals(4096, program().value());
    assertEquals(CudaResult.INVALID_VALUE, driver().cuCtxGetLimit(program().out(), 99));
    assertEquals(215, driver().cuCtxGetLimit(program().out(), 3));
  }

  @Test
  void eachContextHasANumber() {
    ok(driver().cuCtxGetId(0, program().out()));
    final long primary = program().value();
    ok(driver().cuCtxCreate_v2(program().out(), 0, 0));
    long created = program().value();
    ok(driver().cuCtxGetId(created, program().out()));
    assertNotEquals(primary, program().value());
    ok(driver().cuCtxGetApiVersion(created, program().out()));
    assertEquals(3020, Native.getInt(program().out()));
    assertEquals(CudaResult.INVALID_CONTEXT, driver().cuCtxGetId(12345, program().out()));
  }
}
