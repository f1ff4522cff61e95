// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.vendor;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClDriverForwarding;
import io.outboard.opencl.OpenClResult;
import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * {@link ProcessorDevices} before a driver of which only contexts and types of devices are known.
 */
class ProcessorDevicesTest {
  private static final long CPU = 2;
  private static final long GPU = 4;
  private static final Map<Long, Long> TYPES = Map.of(10L, CPU, 11L, GPU, 12L, CPU | 1);
  private static final int INVALID_DEVICE = -33;

  private final AtomicInteger told = new AtomicInteger();
  private int result = OpenClResult.SUCCESS;

  private final OpenClDriver driver =
      new OpenClDriverForwarding(null) {
        @Override
        public int clCreateContext(long platform, int numDevices, long devices, long made) {
          return result;
        }

        @Override
        public int outboardCreateWatchedContext(
            long platform, int count, long devices, long watcher, long notify, long data, long to) {
          return result;
        }

        @Override
        public int clGetDeviceInfo(long device, int name, long size, long value, long sizeRet) {
          if (value != 0) {
            Native.putLong(value, TYPES.getOrDefault(device, 0L));
          }
          if (sizeRet != 0) {
            Native.putLong(sizeRet, Long.BYTES);
          }
          return TYPES.containsKey(device) ? OpenClResult.SUCCESS : INVALID_DEVICE;
        }
      };

  private final ProcessorDevices devices = new ProcessorDevices(driver, told::incrementAndGet);

  private int toldOf(long... ids) {
    told.set(0);
    try (Arena arena = Arena.ofConfined()) {
      long list = arena.allocateFrom(JAVA_LONG, ids).address();
      assertEquals(result, devices.clCreateContext(1, ids.length, list, 0));
      int plain = told.getAndSet(0);
      assertEquals(result, devices.outboardCreateWatchedContext(1, ids.length, list, 1, 2, 3, 0));
      assertEquals(plain, told.get());
      return plain;
    }
  }

  @Test
  void processorsAreTold() {
    assertEquals(1, toldOf(10));
    assertEquals(0, toldOf(11));
    assertEquals(2, toldOf(10, 11, 12));
  }

  @Test
  void neitherUnknownDevicesNorContextsThatAreNot() {
    assertEquals(0, toldOf(9));
    result = INVALID_DEVICE;
    assertEquals(0, toldOf(10));
  }
}
