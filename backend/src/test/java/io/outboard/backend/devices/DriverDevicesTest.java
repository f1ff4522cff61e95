// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.devices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.library.Allotment;
import io.outboard.backend.library.SessionContext;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaKinds;
import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.SoftGpu;
import io.outboard.wire.Native;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Memory of a session without a limit, with the software GPU as a vendor's driver. */
final class DriverDevicesTest {
  private static final long MIB = 1 << 20;

  private final NativeBuffer buffer = new NativeBuffer(4096);
  private final long out = buffer.address();
  private final SoftGpu gpu =
      SoftGpu.builder(new SilentConsole()).devices(2).memoryBytes(1L << 30).build();
  // The value of each context, at the index of its handle.
  private final List<Long> contexts = new ArrayList<>(List.of(0L));

  @AfterEach
  void close() {
    buffer.close();
  }

  private static void check(int result) {
    assertEquals(CudaResult.SUCCESS, result);
  }

  private void enter(int device) {
    check(gpu.cuDevicePrimaryCtxRetain(out, device));
    contexts.add(Native.getLong(out));
    check(gpu.cuCtxSetCurrent(contexts.getLast()));
  }

  private Object answer(String name, Object[] arguments) {
    return switch (name) {
      case "allotment" -> Allotment.EVERYTHING;
      case "handleAt" -> index(arguments) < contexts.size() ? index(arguments) : 0L;
      case "valueAt" -> contexts.get((int) index(arguments));
      default -> throw new UnsupportedOperationException(name);
    };
  }

  private static long index(Object[] arguments) {
    assertEquals(CudaKinds.CONTEXT, arguments[0]);
    int index = (Integer) arguments[1];
    return index;
  }

  @Test
  void withoutALimitWhatIsInUseOfEachDeviceCountsOnce() {
    SessionContext context =
        (SessionContext)
            Proxy.newProxyInstance(
                SessionContext.class.getClassLoader(),
                new Class<?>[] {SessionContext.class},
                (_, method, arguments) -> answer(method.getName(), arguments));
    check(gpu.cuInit(0));
    enter(0);
    check(gpu.cuMemAlloc_v2(out, 40 * MIB));
    enter(0);
    DriverDevices devices = new DriverDevices(context, gpu, () -> false);
    long first = devices.bytes();
    assertTrue(40 * MIB <= first && first < 80 * MIB, () -> first + " bytes");
    enter(1);
    check(gpu.cuMemAlloc_v2(out, 100 * MIB));
    long both = devices.bytes();
    assertTrue(first + 100 * MIB <= both && both < first + 140 * MIB, () -> both + " bytes");
  }
}
