// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.backend.library.DeviceException;
import io.outboard.backend.library.LibraryInstance;
import io.outboard.backend.library.LibraryService;
import io.outboard.backend.library.SessionContext;

/** The fake library in a worker. */
public final class FakeService implements LibraryService {
  public static final String NAME = "fake";

  /** Devices with which it is as a library that runs a client's code on processors. */
  public static final String NATIVE = "opencl:native";

  @Override
  public String library() {
    return NAME;
  }

  @Override
  public int number() {
    return 0xfade;
  }

  @Override
  public long kinds() {
    return 0;
  }

  /** Where a test asks for it. */
  @Override
  public boolean runsNativeCode(String devices) {
    return devices.equals(NATIVE);
  }

  @Override
  public LibraryInstance open(SessionContext context) throws DeviceException {
    if (context.devices().equals("none")) {
      throw new DeviceException("there is no device");
    }
    return new FakeLibrary();
  }
}
