// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.opencl;

import io.outboard.backend.library.NoOpDriver;
import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClResult;
import io.outboard.wire.Native;

/** Says yes to everything. */
public final class NoOpOpenCl extends NoOpDriver {
  private static final int COMPLETE = 0;
  private static final int RUNNING = 1;

  /** One command of so many is not complete when it is asked for. */
  private static final int COMPLETE_TO_RUNNING = 8;

  private int asked;

  private NoOpOpenCl() {}

  /** One of the classes of {@link NoOpDriver}. */
  public static OpenClDriver driver(int number) {
    return create(OpenClDriver.class, number, new NoOpOpenCl()::answer);
  }

  private int answer(String call, Object[] arguments) {
    switch (call) {
      case "clGetPlatformIDs" -> createAt(arguments[1]);
      case "clGetDeviceIDs" -> createAt(arguments[3]);
      case "clGetEventInfo" -> Native.putInt((long) arguments[3], status());
      case "clFinish", "clWaitForEvents", "outboardWaitTimed", "outboardRead" -> await();
      default -> {
        if (call.startsWith("clCreate") || call.startsWith("clEnqueue")) {
          createAt(arguments[arguments.length - 1]);
        }
      }
    }
    return OpenClResult.SUCCESS;
  }

  private int status() {
    return ++asked % COMPLETE_TO_RUNNING == 0 ? RUNNING : COMPLETE;
  }

  /** An object whose value goes to a place; none where nobody wants it. */
  private void createAt(Object place) {
    if ((long) place != 0) {
      create((long) place);
    }
  }
}
