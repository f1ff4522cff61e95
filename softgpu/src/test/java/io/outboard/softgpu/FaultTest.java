// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import static io.outboard.softgpu.Program.ok;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.cuda.CudaResult;
import io.outboard.patience.Patience;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels that go wrong lose their context, and nothing else. */
class FaultTest extends DriverTest {
  @ParameterizedTest
  @ValueSource(
      longs = {0, 16, 0x7fff_ffff_f000L, 0x29ff_ffff_fffcL, 0x2a00_1000_0000L, -16, 1L << 62})
  void anIllegalAddressIsSticky(long address) {
    long memory = program().allocate(4);
    long event = program().event(0);
    long stream = program().stream(0);
    long store = program().function(program().module(), "store");
    ok(program().launchOne(store, stream, address, 1));
    assertEquals(CudaResult.ILLEGAL_ADDRESS, driver().cuStreamSynchronize(stream));
    assertEquals(CudaResult.ILLEGAL_ADDRESS, driver().cuCtxSynchronize());
    assertEquals(CudaResult.ILLEGAL_ADDRESS, driver().cuMemFree_v2(memory));
    assertEquals(CudaResult.ILLEGAL_ADDRESS, driver().cuMemAlloc_v2(program().out(), 4));
    assertEquals(CudaResult.ILLEGAL_ADDRESS, program().launchOne(store, 0, memory, 1));
    assertEquals(CudaResult.ILLEGAL_ADDRESS, driver().cuEventQuery(event));
    assertEquals(CudaResult.ILLEGAL_ADDRESS, driver().cuStreamQuery(stream));
    assertTrue(console().messages().contains("store"), console().messages());
  }

  @Test
  void aMisalignedAddressIsSticky() {
    long memory = program().allocate(16);
    long store = program().function(program().module(), "store");
    ok(program().launchOne(store, 0, memory + 2, 1));
    assertEquals(CudaResult.MISALIGNED_ADDRESS, driver().cuCtxSynchronize());
    assertEquals(CudaResult.MISALIGNED_ADDRESS, driver().cuStreamSynchronize(0));
  }

  @Test
  void aTrapIsSticky() {
    ok(program().launchOne(program().function(program().module(), "trap"), 0));
    assertEquals(CudaResult.LAUNCH_FAILED, driver().cuStreamSynchronize(0));
    assertEquals(CudaResult.LAUNCH_FAILED, driver().cuCtxSynchronize());
  }

  @Test
  void laterWorkOfALostContextIsNotDone() {
    long log = program().array(new int[4]);
    long module = program().module();
    long append = program().function(module, "append");
    ok(driver().cuCtxGetId(0, program().out()));
    final long primary = program().value();
    ok(driver().cuCtxCreate_v2(program().out(), 0, 0));
    long other = program().value();
    ok(driver().cuCtxSetCurrent(primary));
    ok(program().launchOne(program().function(module, "trap"), 0));
    int unused = program().launchOne(append, 0, log, 1);
    assertTrue(unused == CudaResult.SUCCESS || unused == CudaResult.LAUNCH_FAILED);
    assertEquals(CudaResult.LAUNCH_FAILED, driver().cuCtxSynchronize());
    ok(driver().cuCtxSetCurrent(other));
    assertArrayEquals(new int[] {0, 0, 0, 0}, program().read(log, 4));
  }

  @Test
  void aResetBringsTheDeviceBack() {
    ok(program().launchOne(program().function(program().module(), "trap"), 0));
    assertEquals(CudaResult.LAUNCH_FAILED, driver().cuCtxSynchronize());
    ok(driver().cuDevicePrimaryCtxReset_v2(0));
    ok(driver().cuDevicePrimaryCtxRetain(program().out(), 0));
    ok(driver().cuCtxSetCurrent(program().value()));
    long memory = program().array(3);
    assertArrayEquals(new int[] {3}, program().read(memory, 1));
  }

  @Test
  void aResetThatWaitsForAKernelDoesNotKeepItFromFailing() throws InterruptedException {
    long module = program().module();
    long stream = program().stream(1);
    long log = program().array(0, 0);
    long late = program().function(module, "appendLate");
    CountDownLatch begun = new CountDownLatch(1);
    try (HostFunctions functions = new HostFunctions()) {
      ok(driver().cuLaunchHostFunc(stream, functions.address(_ -> begun.countDown()), 0));
      ok(program().launchOne(late, stream, log, 1, program().array(0), 3_000_000));
      ok(program().launchOne(program().function(module, "trap"), stream));
      // Until another thread is at the first kernel.
      Patience.await(begun);
      ok(driver().cuDevicePrimaryCtxReset_v2(0));
    }
  }

  @Test
  void aFaultStopsTheOtherKernelsOfTheContext() {
    long module = program().module();
    long flag = program().array(0);
    long spinning = program().stream(1);
    ok(program().launchOne(program().function(module, "waitFor"), spinning, flag));
    ok(program().launchOne(program().function(module, "trap"), program().stream(1)));
    int result = driver().cuStreamSynchronize(spinning);
    assertEquals(CudaResult.LAUNCH_FAILED, result);
    ok(driver().cuDevicePrimaryCtxReset_v2(0));
  }
}
