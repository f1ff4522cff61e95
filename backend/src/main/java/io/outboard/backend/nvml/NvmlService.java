// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.nvml;

import io.outboard.backend.devices.AllottedManagement;
import io.outboard.backend.devices.QuotaManagement;
import io.outboard.backend.devices.SessionDevices;
import io.outboard.backend.library.Allotment;
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
import io.outboard.nvml.NvmlDriverNative;
import io.outboard.nvml.NvmlDriverTable;
import io.outboard.wire.Dispatcher;
import java.util.BitSet;

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

  @Override
  public LibraryInstance open(SessionContext context) throws DeviceException {
    NvmlDriver devices = SessionDevices.of(context).management();
    NvmlDriver driver = allotted(devices, context);
    Dispatcher dispatcher =
        LoggedCalls.dispatcher(
            context,
            driver,
            NvmlDriverDispatcher::new,
            NvmlDriverLogged.STRUCTURES,
            NvmlDriverLogged::new);
    return new StatelessInstance(dispatcher, calls(devices), false, HeldDevices.NONE);
  }

  /**
   * The part of it that the session may see; the software GPU has no other devices from the start.
   */
  private static NvmlDriver allotted(NvmlDriver devices, SessionContext context) {
    Allotment allotment = context.allotment();
    NvmlDriver visible =
        allotment.isEverything() || !(devices instanceof NvmlDriverNative)
            ? devices
            : new AllottedManagement(
                devices, allotment.gpus().stream().map(Allotment.Gpu::uuid).toList());
    return SessionCredit.of(context)
        .<NvmlDriver>map(credit -> new QuotaManagement(visible, credit))
        .orElse(visible);
  }

  private static BitSet calls(NvmlDriver driver) {
    BitSet calls = new BitSet();
    for (int number = 1; number <= NvmlDriverTable.LEVEL; number++) {
      boolean known = NvmlDriverTable.name(number) != null;
      calls.set(number, driver instanceof NvmlDriverNative vendor ? vendor.has(number) : known);
    }
    return calls;
  }
}
