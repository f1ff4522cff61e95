// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.nvml;

import io.outboard.backend.devices.SessionDevices;
import io.outboard.backend.library.DeviceException;
import io.outboard.backend.library.HeldDevices;
import io.outboard.backend.library.LibraryInstance;
import io.outboard.backend.library.LibraryService;
import io.outboard.backend.library.LoggedCalls;
import io.outboard.backend.library.SessionContext;
import io.outboard.backend.library.StatelessInstance;
import io.outboard.nvml.NvmlDriverDispatcher;
import io.outboard.nvml.NvmlDriverLogged;
import io.outboard.nvml.NvmlDriverTable;
import io.outboard.wire.Dispatcher;

/** The management library as a library of the backend. */
public final class NvmlService implements LibraryService {
  @Override
  public String library() {
    return NvmlDriverTable.LIBRARY;
  }

  @Override
  public int number() {
    return NvmlDriverTable.ID;
  }

  @Override
  public long kinds() {
    return NvmlDriverTable.KINDS;
  }

  /** It has no kernels. */
  @Override
  public boolean runsNativeCode(String devices) {
    return false;
  }

  @Override
  public LibraryInstance open(SessionContext context) throws DeviceException {
    SessionDevices.Management devices = SessionDevices.of(context).management();
    Dispatcher dispatcher =
        LoggedCalls.dispatcher(
            context,
            devices.driver(),
            NvmlDriverDispatcher::new,
            NvmlDriverLogged.STRUCTURES,
            NvmlDriverLogged::new);
    return new StatelessInstance(dispatcher, devices.calls(), false, HeldDevices.NONE);
  }
}
