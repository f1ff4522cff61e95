// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import static io.outboard.softgpu.Program.ok;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.profile.DeviceAttribute;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** With a limit, a kernel that runs for longer is stopped and says so. */
class KernelLimitTest extends DriverTest {
  private static final String ENDLESS =
      ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry spin() { l: bra l; }\n";

  @Override
  CudaDriver create() {
    return SoftGpu.builder(console())
        .memoryBytes(MEMORY_BYTES)
        .kernelLimit(Duration.ofMillis(300))
        .build();
  }

  @Test
  void anEndlessKernelIsStoppedAndItsContextIsLost() {
    long spin = program().function(program().module(ENDLESS), "spin");
    ok(program().launch(spin, 3, 33, 0, 0));
    assertEquals(CudaResult.LAUNCH_TIMEOUT, driver().cuCtxSynchronize());
    assertEquals(CudaResult.LAUNCH_TIMEOUT, driver().cuMemAlloc_v2(program().out(), 4));
    assertEquals(
        "kernel 'spin' was stopped: it had run for 300 ms, for as long as a kernel may here"
            + " (outboard serve --kernel-limit, or OUTBOARD_KERNEL_LIMIT)\n",
        console().messages());
  }

  @Test
  void theDeviceSaysThatThereIsALimit() {
    ok(driver().cuDeviceGetAttribute(program().out(), DeviceAttribute.KERNEL_EXEC_TIMEOUT, 0));
    assertEquals(1, program().intValue());
  }

  @Test
  void theDeviceWorksAgainAfterAReset() {
    long spin = program().function(program().module(ENDLESS), "spin");
    ok(program().launchOne(spin, 0));
    assertEquals(CudaResult.LAUNCH_TIMEOUT, driver().cuCtxSynchronize());
    ok(driver().cuDevicePrimaryCtxReset_v2(0));
    ok(driver().cuDevicePrimaryCtxRetain(program().out(), 0));
    ok(driver().cuCtxSetCurrent(program().value()));
    assertArrayEquals(new int[] {3}, program().read(program().array(3), 1));
  }

  @Test
  void aLimitIsAMillisecondOrMore() {
    SoftGpu.Builder builder = SoftGpu.builder(console());
    assertThrows(
        IllegalArgumentException.class, () -> builder.kernelLimit(Duration.ofNanos(999_999)));
  }
}
