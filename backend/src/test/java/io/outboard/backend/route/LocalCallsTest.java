// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.route;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.backend.devices.SilentConsole;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.SoftGpu;
import io.outboard.wire.Native;
import io.outboard.wire.Slot;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A device of this host has the same calls, with the same addresses, where others are joined. */
class LocalCallsTest {
  private static final int BYTES = 4096;

  private final NativeBuffer buffer = new NativeBuffer(4L * BYTES);
  private final long out = buffer.address();
  private final long data = buffer.address() + BYTES;

  @AfterEach
  void close() {
    buffer.close();
  }

  /** A driver whose calls are written down. */
  private static final class Written {
    private final CudaDriver gpu =
        SoftGpu.builder(new SilentConsole()).memoryBytes(64 << 20).in(new Slot(0)).build();
    private final List<String> calls = new ArrayList<>();

    CudaDriver driver() {
      return (CudaDriver)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {CudaDriver.class},
              (_, method, arguments) -> call(method, arguments));
    }

    private Object call(Method method, Object[] arguments) throws Throwable {
      calls.add(method.getName() + Arrays.toString(arguments));
      try {
        return method.invoke(gpu, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }

  private static void ok(int result) {
    assertEquals(CudaResult.SUCCESS, result);
  }

  private long made(int result) {
    ok(result);
    return Native.getLong(out);
  }

  private void work(CudaDriver gpus) {
    ok(gpus.cuCtxSetCurrent(made(gpus.cuDevicePrimaryCtxRetain(out, 0))));
    long one = made(gpus.cuMemAlloc_v2(out, BYTES));
    long other = made(gpus.cuMemAlloc_v2(out, BYTES));
    long stream = made(gpus.cuStreamCreate(out, 1));
    long event = made(gpus.cuEventCreate(out, 0));
    ok(gpus.cuMemcpyHtoD_v2(one, data, BYTES));
    ok(gpus.cuMemcpyHtoDAsync_v2(one, data, BYTES, stream));
    ok(gpus.outboardCopyFromHost(one, data, BYTES, stream, 0));
    ok(gpus.cuMemsetD32Async(one, 7, BYTES / 4, stream));
    ok(gpus.cuMemcpyDtoDAsync_v2(other, one, BYTES, stream));
    ok(gpus.cuMemcpyDtoD_v2(other, one, BYTES));
    ok(gpus.cuEventRecord(event, stream));
    ok(gpus.cuStreamWaitEvent(0, event, 0));
    ok(gpus.cuEventSynchronize(event));
    ok(gpus.outboardCopyToHost(data, other, BYTES, stream, 0));
    ok(gpus.cuMemcpyDtoHAsync_v2(data, other, BYTES, stream));
    ok(gpus.cuStreamSynchronize(stream));
    ok(gpus.cuCtxSynchronize());
    ok(gpus.cuMemcpyDtoH_v2(data, other, BYTES));
    ok(gpus.cuEventDestroy_v2(event));
    ok(gpus.cuStreamDestroy_v2(stream));
    ok(gpus.cuMemFree_v2(other));
    ok(gpus.cuMemFree_v2(one));
  }

  @Test
  void areThoseOfAHostAlone() throws IOException {
    Written alone = new Written();
    ok(alone.driver().cuInit(0));
    alone.calls.clear();
    work(alone.driver());
    Written joining = new Written();
    CudaDriver far =
        SoftGpu.builder(new SilentConsole()).memoryBytes(64 << 20).in(FarHost.SLOT).build();
    try (FarHost host = new FarHost(far, FarHost.SLOT.number())) {
      CudaDriver gpus = host.with(joining.driver());
      ok(gpus.cuInit(0));
      joining.calls.clear();
      work(gpus);
    }
    assertEquals(alone.calls, joining.calls);
  }
}
