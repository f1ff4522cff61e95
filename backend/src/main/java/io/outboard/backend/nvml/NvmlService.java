// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.nvml;

import io.outboard.backend.devices.QuotaManagement;
import io.outboard.backend.devices.SessionDevices;
import io.outboard.backend.library.DeviceException;
import io.outboard.backend.library.HeldDevices;
import io.outboard.backend.library.LibraryInstance;
import io.outboard.backend.library.LibraryService;
import io.outboard.backend.library.LoggedCalls;
import io.outboard.backend.library.SessionContext;
import io.outboard.backend.library.StatelessInstance;
import io.outboard.backend.quota.SessionCredit;
import io.outboard.nvml.NvmlDriver;
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
    NvmlDriver driver = counted(devices.driver(), context);
    Dispatcher dispatcher =
        LoggedCalls.dispatcher(
            context,
            driver,
            NvmlDriverDispatcher::new,
            NvmlDriverLogged.STRUCTURES,
            NvmlDriverLogged::new);
    return new StatelessInstance(dispatcher, devices.calls(), false, HeldDevices.NONE);
  }

  /** Where memory has a limit, what the session has of it is told. */
  private static NvmlDriver counted(NvmlDriver devices, SessionContext context) {
    return SessionCredit.of(context)
        .<NvmlDriver>map(credit -> new QuotaManagement(devices, credit))
        .orElse(devices);
  }
}
