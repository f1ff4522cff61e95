// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.vendor;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClResult;
import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A host with two platforms, whose answers are texts. */
class ServedDevicesTest {
  private static final int PLATFORM_VERSION = 0x0901;
  private static final int PLATFORM_NAME = 0x0902;
  private static final int EXECUTION_CAPABILITIES = 0x1029;
  private static final int EXTENSIONS = 0x1030;
  private static final int DEVICE_TYPE = 0x1000;
  private static final long EVERY_TYPE = 0xffffffffL;
  // Devices are what their types are: CL_DEVICE_TYPE_CPU, and _GPU with _DEFAULT.
  private static final long PROCESSOR = 2;
  private static final long GPU = 5;
  private static final long FIRST = 0x10;
  private static final long SECOND = 0x20;

  private static final Map<Long, String> NAMES =
      Map.of(FIRST, "Portable Computing Language", SECOND, "NVIDIA CUDA");

  private final Arena arena = Arena.ofConfined();
  private final OpenClDriver host = host();

  @AfterEach
  void close() {
    arena.close();
  }

  private OpenClDriver host() {
    return (OpenClDriver)
        Proxy.newProxyInstance(
            OpenClDriver.class.getClassLoader(),
            new Class<?>[] {OpenClDriver.class},
            (_, method, values) ->
                switch (method.getName()) {
                  case "clGetPlatformIDs" -> platforms(values);
                  case "clGetPlatformInfo" ->
                      text(platformText((long) values[0], (int) values[1]), values);
                  case "clGetDeviceInfo" -> deviceInfo(values);
                  case "clGetDeviceIDs" -> devices(values);
                  default -> OpenClResult.INVALID_OPERATION;
                });
  }

  private static int platforms(Object[] values) {
    if ((long) values[1] != 0) {
      Native.putLong((long) values[1], FIRST);
      Native.putLong((long) values[1] + 8, SECOND);
    }
    if ((long) values[2] != 0) {
      Native.putInt((long) values[2], 2);
    }
    return OpenClResult.SUCCESS;
  }

  /** Of any type: a processor and a GPU, or a GPU; else the platform's number is the result. */
  private static int devices(Object[] values) {
    long platform = (long) values[0];
    if ((long) values[1] != EVERY_TYPE) {
      return (int) platform;
    }
    if ((long) values[3] != 0) {
      Native.putLong((long) values[3], platform == FIRST ? PROCESSOR : GPU);
      Native.putLong((long) values[3] + 8L * ((int) values[2] - 1), GPU);
    }
    if ((long) values[4] != 0) {
      Native.putInt((long) values[4], platform == FIRST ? 2 : 1);
    }
    return OpenClResult.SUCCESS;
  }

  private static String platformText(long platform, int name) {
    return name == PLATFORM_NAME ? NAMES.get(platform) : "OpenCL 3.0 host";
  }

  private int deviceInfo(Object[] values) {
    if ((int) values[1] == EXTENSIONS) {
      return text("cl_khr_fp64 cl_khr_gl_event", values);
    }
    if ((long) values[3] != 0) {
      boolean type = (int) values[1] == DEVICE_TYPE;
      Native.putLong((long) values[3], type ? (long) values[0] : 3);
    }
    if ((long) values[4] != 0) {
      Native.putLong((long) values[4], Long.BYTES);
    }
    return OpenClResult.SUCCESS;
  }

  private int text(String text, Object[] values) {
    MemorySegment bytes = arena.allocateFrom(text);
    if ((long) values[3] != 0) {
      Native.copy(bytes.address(), (long) values[3], Math.min((long) values[2], bytes.byteSize()));
    }
    if ((long) values[4] != 0) {
      Native.putLong((long) values[4], bytes.byteSize());
    }
    return OpenClResult.SUCCESS;
  }

  @Test
  void allPlatformsAreServedWithoutAChoice() {
    assertEquals(
        List.of(FIRST, SECOND), platforms(ServedDevices.of(host, "", ServedDevices.Part.ALL)));
  }

  /** Beside a GPU there may be a processor, on which kernels are native code. */
  @Test
  void platformsOfGpusAloneAreServedWhereNoNativeCodeMayRun() {
    assertEquals(List.of(SECOND), platforms(ServedDevices.of(host, "", ServedDevices.Part.GPUS)));
    assertThrows(
        IllegalArgumentException.class,
        () -> ServedDevices.of(host, "portable", ServedDevices.Part.GPUS));
  }

  @Test
  void thoseWithThatInTheirNamesAreServed() {
    assertEquals(
        List.of(SECOND), platforms(ServedDevices.of(host, "nvidia", ServedDevices.Part.ALL)));
    IllegalArgumentException none =
        assertThrows(
            IllegalArgumentException.class,
            () -> ServedDevices.of(host, "intel", ServedDevices.Part.ALL));
    assertTrue(none.getMessage().contains("NVIDIA CUDA"), none::getMessage);
  }

  private List<Long> platforms(OpenClDriver served) {
    MemorySegment list = arena.allocate(JAVA_LONG, 4);
    MemorySegment count = arena.allocate(JAVA_INT);
    assertEquals(0, served.clGetPlatformIDs(4, list.address(), count.address()));
    return list.asSlice(0, 8L * count.get(JAVA_INT, 0))
        .elements(JAVA_LONG)
        .map(one -> one.get(JAVA_LONG, 0))
        .toList();
  }

  @Test
  void noPlatformMeansTheFirstThatIsServed() {
    assertEquals(
        SECOND,
        ServedDevices.of(host, "nvidia", ServedDevices.Part.ALL).clGetDeviceIDs(0, 1, 0, 0, 0));
  }

  @Test
  void theVersionSaysWhoServesIt() {
    OpenClDriver served = ServedDevices.of(host, "", ServedDevices.Part.ALL);
    MemorySegment text = arena.allocate(64);
    MemorySegment size = arena.allocate(JAVA_LONG);
    assertEquals(
        0, served.clGetPlatformInfo(FIRST, PLATFORM_VERSION, 64, text.address(), size.address()));
    assertEquals("OpenCL 3.0 host (Outboard)", text.getString(0));
    assertEquals(27, size.get(JAVA_LONG, 0));
    assertEquals(
        OpenClResult.INVALID_VALUE,
        served.clGetPlatformInfo(FIRST, PLATFORM_VERSION, 26, text.address(), 0));
    assertEquals(0, served.clGetPlatformInfo(FIRST, PLATFORM_NAME, 64, text.address(), 0));
    assertEquals("Portable Computing Language", text.getString(0));
  }

  @Test
  void whatCannotComeThroughIsNotSaidToBeThere() {
    OpenClDriver served = ServedDevices.of(host, "", ServedDevices.Part.ALL);
    MemorySegment value = arena.allocate(64);
    assertEquals(0, served.clGetDeviceInfo(1, EXECUTION_CAPABILITIES, 8, value.address(), 0));
    assertEquals(1, value.get(JAVA_LONG, 0));
    assertEquals(0, served.clGetDeviceInfo(1, EXTENSIONS, 64, value.address(), 0));
    assertEquals("cl_khr_fp64", value.getString(0));
  }
}
