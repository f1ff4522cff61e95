// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.devices;

import io.outboard.backend.library.CheckpointBlockers;
import io.outboard.backend.library.DeviceChoice;
import io.outboard.backend.library.DeviceException;
import io.outboard.backend.library.SessionContext;
import io.outboard.backend.move.CudaStagedUploads;
import io.outboard.backend.route.RemoteHost;
import io.outboard.backend.route.RoutedCuda;
import io.outboard.backend.route.RoutedNvml;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverTable;
import io.outboard.nvml.NvmlDriver;
import io.outboard.nvml.NvmlDriverTable;
import io.outboard.softgpu.SoftGpu;
import java.util.BitSet;
import java.util.List;

/** The devices of a session: chosen once, the same for each of its libraries. */
public final class SessionDevices {
  private final SessionContext context;
  private CudaDevices.Opened cuda;
  // This host's.
  private CudaDriver local;

  private SessionDevices(SessionContext context) {
    this.context = context;
  }

  public static SessionDevices of(SessionContext context) {
    return context.shared(SessionDevices.class, () -> new SessionDevices(context));
  }

  /** The driver of CUDA. */
  public synchronized CudaDevices.Opened cuda() throws DeviceException {
    if (cuda == null) {
      CudaDevices.Opened own = CudaDevices.open(context);
      local = own.driver();
      cuda = joined(own);
    }
    return cuda;
  }

  /** With the devices of other hosts behind those of this one. */
  private CudaDevices.Opened joined(CudaDevices.Opened local) {
    List<RemoteHost> remotes = remotes(CudaDriverTable.LIBRARY);
    if (remotes.isEmpty()) {
      return local;
    }
    CheckpointBlockers.of(context).add("it uses GPUs of other hosts");
    BitSet calls = (BitSet) local.calls().clone();
    remotes.forEach(host -> calls.and(host.calls(CudaDriverTable.LIBRARY)));
    CudaDriver own = new CudaStagedUploads(local.driver());
    return new CudaDevices.Opened(
        RoutedCuda.of(own, remotes), calls, local.waited(), local.memory());
  }

  private List<RemoteHost> remotes(String library) {
    return RemoteHost.of(context).stream().filter(host -> host.has(library)).toList();
  }

  /**
   * The driver of the management library. Where the devices are the real ones, it does not
   * initialise CUDA, which takes long.
   */
  public synchronized NvmlDriver management() throws DeviceException {
    NvmlDriver own = ownManagement();
    List<RemoteHost> remotes = remotes(NvmlDriverTable.LIBRARY);
    return remotes.isEmpty() ? own : RoutedNvml.of(own, remotes);
  }

  private NvmlDriver ownManagement() throws DeviceException {
    if (cuda == null
        && CudaDevices.choice(context.devices()).kind() != DeviceChoice.Kind.SOFTWARE) {
      NvmlDriver vendor = VendorManagement.usable(context.process());
      if (vendor != null) {
        return vendor;
      }
    }
    cuda();
    if (local instanceof SoftGpu gpu) {
      return gpu.management(context.process());
    }
    return VendorManagement.open(context);
  }
}
