// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.gl;

import io.outboard.backend.devices.CudaDevices;
import io.outboard.backend.library.Allotment;
import io.outboard.backend.library.DeviceChoice;
import io.outboard.backend.library.DeviceException;
import io.outboard.backend.library.LibraryInstance;
import io.outboard.backend.library.LibraryService;
import io.outboard.backend.library.LoggedCalls;
import io.outboard.backend.library.SessionContext;
import io.outboard.gl.GlDriverDispatcher;
import io.outboard.gl.GlDriverLogged;
import io.outboard.gl.GlDriverTable;
import io.outboard.gl.vendor.GlObjects;
import io.outboard.gl.vendor.VendorGl;

/**
 * OpenGL as a library of the backend: the host's own, where the operator has asked for it. Neither
 * memory nor work of OpenGL counts against a lease, so only a session whose devices are its alone
 * has it.
 */
public final class GlService implements LibraryService {
  /** A property of workers: whether there is OpenGL. */
  public static final String ALLOWED = "outboard.opengl";

  private static final String LIBRARY = "libEGL.so.1";

  /** Whether the operator has asked for it. */
  public static boolean isAllowed() {
    return Boolean.getBoolean(ALLOWED);
  }

  @Override
  public String library() {
    return GlDriverTable.LIBRARY;
  }

  @Override
  public int number() {
    return GlDriverTable.ID;
  }

  @Override
  public long kinds() {
    return GlDriverTable.KINDS;
  }

  @Override
  public LibraryInstance open(SessionContext context) throws DeviceException {
    if (!isAllowed()) {
      throw DeviceException.unwanted("this backend serves no OpenGL ('serve --opengl' would)");
    }
    boolean software = CudaDevices.choice(context.devices()).kind() == DeviceChoice.Kind.SOFTWARE;
    checkAlone(context.allotment(), software);
    try {
      HostVendors.show(software);
      VendorGl vendor = VendorGl.load(LIBRARY);
      return new GlInstance(
          LoggedCalls.dispatcher(
              context,
              vendor,
              GlDriverDispatcher::new,
              GlDriverLogged.STRUCTURES,
              GlDriverLogged::new),
          new GlObjects(vendor),
          SessionGl.of(context));
    } catch (IllegalArgumentException e) {
      throw new DeviceException("this backend has no OpenGL: " + e.getMessage());
    }
  }

  /** Of several GPUs nobody keeps it to some. */
  private static void checkAlone(Allotment allotment, boolean software) throws DeviceException {
    if (allotment.isShared() || allotment.percent() != Allotment.WHOLE) {
      throw new DeviceException("OpenGL is there for leases of whole devices alone");
    }
    if (!software && !allotment.isEverything()) {
      throw new DeviceException("OpenGL is there for sessions with all devices alone");
    }
  }
}
