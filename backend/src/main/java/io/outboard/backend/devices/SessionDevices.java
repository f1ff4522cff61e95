// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.devices;

import io.outboard.backend.library.DeviceChoice;
import io.outboard.backend.library.DeviceException;
import io.outboard.backend.library.SessionContext;
import io.outboard.nvml.NvmlDriver;
import io.outboard.softgpu.SoftGpu;

/** The devices of a session: chosen once, the same for each of its libraries. */
public final class SessionDevices {
  private final SessionContext context;
  private CudaDevices.Opened cuda;

  private SessionDevices(SessionContext context) {
    this.context = context;
  }

  public static SessionDevices of(SessionContext context) {
    return context.shared(SessionDevices.class, () -> new SessionDevices(context));
  }

  /** The driver of CUDA. */
  public synchronized CudaDevices.Opened cuda() throws DeviceException {
    if (cuda == null) {
      cuda = CudaDevices.open(context);
    }
    return cuda;
  }

  /**
   * The driver of the management library. Where the devices are the real ones, it does not
   * initialise CUDA, which takes long.
   */
  public synchronized NvmlDriver management() throws DeviceException {
    if (cuda == null
        && CudaDevices.choice(context.devices()).kind() != DeviceChoice.Kind.SOFTWARE) {
      NvmlDriver vendor = VendorManagement.usable(context.process());
      if (vendor != null) {
        return vendor;
      }
    }
    if (cuda().driver() instanceof SoftGpu gpu) {
      return gpu.management(context.process());
    }
    return VendorManagement.open(context);
  }
}
