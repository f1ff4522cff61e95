// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import static io.outboard.softgpu.Program.ok;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import org.junit.jupiter.api.Test;

/** Kernels do what they say, and wrong configurations are refused at once. */
class LaunchTest extends DriverTest {
  @Test
  void addsVectors() {
    int count = 100_000;
    long bytes = 4L * count;
    long host = program().bytes(bytes);
    for (int i = 0; i < count; i++) {
      Native.putFloat(host + 4L * i, i);
    }
    long a = program().allocate(bytes);
    long b = program().allocate(bytes);
    long sum = program().allocate(bytes);
    ok(driver().cuMemcpyHtoD_v2(a, host, bytes));
    ok(driver().cuMemcpyHtoD_v2(b, host, bytes));
    long add = program().function(program().module(), "vectorAdd");
    ok(program().launch(add, (count + 255) / 256, 256, 0, 0, a, b, sum, count));
    ok(driver().cuCtxSynchronize());
    ok(driver().cuMemcpyDtoH_v2(host, sum, bytes));
    for (int i = 0; i < count; i++) {
      assertEquals(2.0f * i, Native.getFloat(host + 4L * i));
    }
  }

  @Test
  void usesSharedMemory() {
    int[] data = new int[256];
    int[] reversed = new int[256];
    for (int i = 0; i < 256; i++) {
      data[i] = i;
      reversed[255 - i] = i;
    }
    long device = program().array(data);
    long reverse = program().function(program().module(), "reverse");
    ok(program().launch(reverse, 1, 256, 1024, 0, device));
    assertArrayEquals(reversed, program().read(device, 256));
  }

  @Test
  void launchesTenThousandTimesInOrder() {
    long log = program().array(new int[10_001]);
    long append = program().function(program().module(), "append");
    long stream = program().stream(0);
    for (int i = 0; i < 10_000; i++) {
      ok(program().launchOne(append, stream, log, i));
    }
    ok(driver().cuStreamSynchronize(stream));
    int[] entries = program().read(log, 10_001);
    assertEquals(10_000, entries[0]);
    for (int i = 0; i < 10_000; i++) {
      assertEquals(i, entries[i + 1]);
    }
  }

  @Test
  void wrongConfigurationsAreInvalid() {
    long module = program().module();
    long nothing = program().function(module, "nothing");
    assertEquals(CudaResult.INVALID_VALUE, program().launch(nothing, 0, 1, 0, 0));
    assertEquals(CudaResult.INVALID_VALUE, program().launch(nothing, 1, 0, 0, 0));
    assertEquals(CudaResult.INVALID_VALUE, program().launch(nothing, 1, 1025, 0, 0));
    assertEquals(CudaResult.INVALID_VALUE, program().launch(nothing, 1, 1, 49153, 0));
    assertEquals(CudaResult.INVALID_VALUE, program().launch(nothing, 1, 1, -1, 0));
    assertEquals(
        CudaResult.INVALID_VALUE,
        driver().cuLaunchKernel(nothing, 1, 70_000, 1, 1, 1, 1, 0, 0, 0, 0));
    assertEquals(
        CudaResult.INVALID_VALUE, driver().cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 65, 0, 0, 0, 0));
    assertEquals(
        CudaResult.INVALID_VALUE, driver().cuLaunchKernel(nothing, 1, 1, 1, 32, 32, 2, 0, 0, 0, 0));
    long store = program().function(module, "store");
    assertEquals(CudaResult.INVALID_VALUE, program().launchOne(store, 0, 1));
    assertEquals(CudaResult.INVALID_HANDLE, program().launchOne(0, 0));
    assertEquals(CudaResult.INVALID_HANDLE, program().launchOne(module, 0));
    assertEquals(CudaResult.INVALID_HANDLE, program().launchOne(nothing, 4711));
    ok(driver().cuCtxSynchronize());
  }

  @Test
  void cooperativeLaunchesFitTheDevice() {
    long nothing = program().function(program().module(), "nothing");
    ok(driver().cuDeviceGetAttribute(program().out(), 95, 0));
    assertEquals(1, program().intValue());
    ok(driver().cuLaunchCooperativeKernel(nothing, 2, 1, 1, 32, 1, 1, 0, 0, 0, 0));
    ok(driver().cuCtxSynchronize());
    ok(
        driver()
            .cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
                program().out(), nothing, 1024, 0, 0));
    int each = program().intValue();
    ok(driver().cuDeviceGetAttribute(program().out(), 16, 0));
    int most = each * program().intValue();
    ok(driver().cuLaunchCooperativeKernel(nothing, most, 1, 1, 1024, 1, 1, 0, 0, 0, 0));
    assertEquals(
        CudaResult.COOPERATIVE_LAUNCH_TOO_LARGE,
        driver().cuLaunchCooperativeKernel(nothing, most + 1, 1, 1, 1024, 1, 1, 0, 0, 0, 0));
    assertEquals(
        CudaResult.INVALID_VALUE,
        driver().cuLaunchCooperativeKernel(nothing, 0, 1, 1, 1024, 1, 1, 0, 0, 0, 0));
    ok(driver().cuCtxSynchronize());
  }

  @Test
  void tellsTheOccupancy() {
    long module = program().module();
    long nothing = program().function(module, "nothing");
    assertEquals(8, blocks(nothing, 256, 0));
    assertEquals(32, blocks(nothing, 32, 0));
    assertEquals(2, blocks(nothing, 1024, 0));
    assertEquals(4, blocks(nothing, 256, 48 << 10));
    assertEquals(0, blocks(nothing, 256, 49 << 10));
    assertEquals(0, blocks(nothing, 2048, 0));
    ok(driver().cuOccupancyAvailableDynamicSMemPerBlock(program().out(), nothing, 8, 256));
    assertEquals(28_160, program().value());
    assertEquals(
        CudaResult.INVALID_VALUE,
        driver()
            .cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
                program().out(), nothing, 0, 0, 0));
  }

  private int blocks(long function, int threads, long shared) {
    ok(
        driver()
            .cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
                program().out(), function, threads, shared, 0));
    return program().intValue();
  }
}
