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
import io.outboard.nvml.NvmlDriverNative;
import io.outboard.nvml.NvmlDriverTable;
import io.outboard.softgpu.SoftGpu;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

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

  /** The driver of this host's devices. */
  public synchronized CudaDriver local() throws DeviceException {
    CudaDevices.Opened unused = cuda();
    return local;
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
    CudaDriver own = new CudaStagedUploads(LeasedDevices.of(local, context));
    return new CudaDevices.Opened(
        RoutedCuda.of(own, remotes), calls, local.waited(), local.memory());
  }

  private List<RemoteHost> remotes(String library) {
    return RemoteHost.of(context).stream().filter(host -> host.has(library)).toList();
  }

  /** A driver of the management library, and the calls that it has. */
  public record Management(NvmlDriver driver, BitSet calls) {}

  /**
   * The management library, with the devices that CUDA shows. Where these are the real ones and
   * nobody has limited them, it does not initialise CUDA, which takes long.
   */
  public synchronized Management management() throws DeviceException {
    NvmlDriver all = ownManagement();
    NvmlDriver own = LeasedDevices.of(limited(all), context);
    List<RemoteHost> remotes = remotes(NvmlDriverTable.LIBRARY);
    NvmlDriver driver = remotes.isEmpty() ? own : RoutedNvml.of(own, remotes);
    return new Management(driver, managementCalls(all));
  }

  private static BitSet managementCalls(NvmlDriver driver) {
    BitSet calls = new BitSet();
    for (int number = 1; number <= NvmlDriverTable.LEVEL; number++) {
      boolean known = NvmlDriverTable.name(number) != null;
      calls.set(number, driver instanceof NvmlDriverNative vendor ? vendor.has(number) : known);
    }
    return calls;
  }

  private NvmlDriver ownManagement() throws DeviceException {
    if (cuda == null
        && !ShownDevices.areChosen()
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

  /** The software GPU has no other devices from the start. */
  private NvmlDriver limited(NvmlDriver all) throws DeviceException {
    if (!(all instanceof NvmlDriverNative)) {
      return all;
    }
    return shown(all).<NvmlDriver>map(uuids -> new AllottedManagement(all, uuids)).orElse(all);
  }

  /** The UUIDs of the devices that a session may see; none where these are all. */
  private Optional<List<String>> shown(NvmlDriver all) throws DeviceException {
    if (!context.allotment().isEverything()) {
      return Optional.of(CudaDevices.uuids(context.allotment()));
    }
    if (!ShownDevices.areChosen()) {
      return Optional.empty();
    }
    cuda();
    return ShownDevices.of(local, all);
  }
}
