// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClResult;
import io.outboard.wire.Native;

/** Says yes to everything. */
final class PretendedOpenCl extends PretendedDriver {
  private static final int COMPLETE = 0;

  private PretendedOpenCl() {}

  /** One of the classes of {@link PretendedDriver}. */
  static OpenClDriver driver(int number) {
    return create(OpenClDriver.class, number, new PretendedOpenCl()::answer);
  }

  private int answer(String call, Object[] arguments) {
    switch (call) {
      case "clGetPlatformIDs" -> createAt(arguments[1]);
      case "clGetDeviceIDs" -> createAt(arguments[3]);
      case "clGetEventInfo" -> Native.putInt((long) arguments[3], COMPLETE);
      case "clFinish", "clWaitForEvents", "outboardWaitTimed", "outboardRead" -> await();
      default -> {
        if (call.startsWith("clCreate") || call.startsWith("clEnqueue")) {
          createAt(arguments[arguments.length - 1]);
        }
      }
    }
    return OpenClResult.SUCCESS;
  }

  /** An object whose value goes to a place; none where nobody wants it. */
  private void createAt(Object place) {
    if ((long) place != 0) {
      create((long) place);
    }
  }
}
