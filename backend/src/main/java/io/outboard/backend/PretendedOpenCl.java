// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClResult;
import io.outboard.wire.Native;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An OpenCL that says yes to everything and does nothing, but sometimes waits; its objects have
 * made-up values.
 */
final class PretendedOpenCl {
  private static final long FIRST_VALUE = 0x1000;
  private static final int COMPLETE = 0;
  private static final int WAITS_TO_A_LONG_ONE = 256;
  private static final long LONG_WAIT_MS = 4;

  private int waits;
  private final AtomicLong value = new AtomicLong(FIRST_VALUE);

  private PretendedOpenCl() {}

  /** One of the classes of {@link PretendedDrivers}. */
  static OpenClDriver driver(int number) {
    return PretendedDrivers.create(OpenClDriver.class, number, new PretendedOpenCl()::answer);
  }

  private int answer(String call, Object[] arguments) {
    switch (call) {
      case "clGetPlatformIDs" -> create(arguments[1]);
      case "clGetDeviceIDs" -> create(arguments[3]);
      case "clGetEventInfo" -> Native.putInt((long) arguments[3], COMPLETE);
      case "clFinish", "clWaitForEvents", "outboardWaitTimed", "outboardRead" -> await();
      default -> {
        if (call.startsWith("clCreate") || call.startsWith("clEnqueue")) {
          create(arguments[arguments.length - 1]);
        }
      }
    }
    return OpenClResult.SUCCESS;
  }

  /** An object whose value goes to a place; none where nobody wants it. */
  private void create(Object place) {
    if ((long) place != 0) {
      Native.putLong((long) place, value.incrementAndGet());
    }
  }

  private void await() {
    if (++waits % WAITS_TO_A_LONG_ONE == 0) {
      Worker.pause(LONG_WAIT_MS);
    }
  }
}
