// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.route;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.nvml.NvmlDriver;
import io.outboard.nvml.NvmlDriverRemote;
import io.outboard.nvml.NvmlDriverRouted;
import io.outboard.nvml.NvmlResult;
import io.outboard.nvml.struct.PciInfo;
import io.outboard.wire.Hosts;
import io.outboard.wire.Native;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/** The management of the devices of this host and of others, in CUDA's order. */
public final class RoutedNvml extends NvmlDriverRouted {
  /** Where the domain's last digits begin in the address with eight of them. */
  private static final int SHORT_DOMAIN = 4;

  private final SlotOwners owners;

  private RoutedNvml(ManagementHosts hosts, List<NvmlDriver> drivers) {
    super(hosts, drivers);
    owners = hosts.owners();
  }

  /** Joins other hosts to this one's driver. */
  public static RoutedNvml of(NvmlDriver local, List<RemoteHost> remotes) {
    List<NvmlDriver> drivers =
        Stream.concat(
                Stream.of(local),
                remotes.stream().map(host -> new NvmlDriverRemote(host.session())))
            .toList();
    return new RoutedNvml(new ManagementHosts(remotes), drivers);
  }

  /** A host that is lost has no say in the others' affairs. */
  private int everywhere(ToIntFunction<NvmlDriver> call) {
    int result = call.applyAsInt(driver(0));
    for (int host = 1; host < hostCount() && result == NvmlResult.SUCCESS; host++) {
      int unused = call.applyAsInt(driver(host));
    }
    return result;
  }

  @Override
  public int nvmlInit_v2() {
    return everywhere(NvmlDriver::nvmlInit_v2);
  }

  @Override
  public int nvmlInitWithFlags(int flags) {
    return everywhere(driver -> driver.nvmlInitWithFlags(flags));
  }

  @Override
  public int nvmlShutdown() {
    return everywhere(NvmlDriver::nvmlShutdown);
  }

  /** Devices of a host, 0 where it does not say. */
  private int count(int host, long scratch) {
    int result = driver(host).nvmlDeviceGetCount_v2(scratch);
    return result == NvmlResult.SUCCESS
        ? Math.clamp(Native.getInt(scratch), 0, CudaHosts.MOST_DEVICES)
        : 0;
  }

  /** Devices of the hosts before one. */
  private int before(int host) {
    try (NativeBuffer buffer = new NativeBuffer(Integer.BYTES)) {
      int devices = 0;
      for (int earlier = 0; earlier < host; earlier++) {
        devices += count(earlier, buffer.address());
      }
      return devices;
    }
  }

  @Override
  public int nvmlDeviceGetCount_v2(long count) {
    int result = driver(0).nvmlDeviceGetCount_v2(count);
    if (result == NvmlResult.SUCCESS) {
      Native.putInt(count, before(hostCount()));
    }
    return result;
  }

  @Override
  public int nvmlDeviceGetHandleByIndex_v2(int index, long device) {
    int host = 0;
    while (host + 1 < hostCount() && index >= before(host + 1)) {
      host++;
    }
    int there = index - before(host);
    return own(host, device, driver(host).nvmlDeviceGetHandleByIndex_v2(there, device));
  }

  private int own(int host, long handle, int result) {
    boolean other =
        result == NvmlResult.SUCCESS && host > 0 && owners.ofHandle(Native.getLong(handle)) != host;
    return other ? hosts.lied(host) : result;
  }

  @Override
  public int nvmlDeviceGetIndex(long device, long index) {
    int result = super.nvmlDeviceGetIndex(device, index);
    int host = Math.max(0, hosts.ofHandle(device));
    if (result == NvmlResult.SUCCESS && host > 0) {
      Native.putInt(index, before(host) + Native.getInt(index));
    }
    return result;
  }

  /** The first host that has the device. */
  private int search(long device, IntUnaryOperator call) {
    int result = call.applyAsInt(0);
    for (int host = 1; host < hostCount() && result == NvmlResult.NOT_FOUND; host++) {
      result = own(host, device, call.applyAsInt(host));
    }
    return result;
  }

  @Override
  public int nvmlDeviceGetHandleByUUID(long uuid, long device) {
    return search(device, host -> driver(host).nvmlDeviceGetHandleByUUID(uuid, device));
  }

  @Override
  public int nvmlDeviceGetHandleBySerial(long serial, long device) {
    return search(device, host -> driver(host).nvmlDeviceGetHandleBySerial(serial, device));
  }

  @Override
  public int nvmlDeviceGetHandleByPciBusId_v2(long address, long device) {
    PciDomain named = PciDomain.of(address);
    int host = owners.ofSlot(named.domain());
    if (host == 0) {
      return driver(0).nvmlDeviceGetHandleByPciBusId_v2(address, device);
    }
    int result =
        named.withoutDomain(text -> driver(host).nvmlDeviceGetHandleByPciBusId_v2(text, device));
    return own(host, device, result);
  }

  @Override
  public int nvmlDeviceGetPciInfo_v3(long device, long pci) {
    int result = super.nvmlDeviceGetPciInfo_v3(device, pci);
    int slot = owners.slot(Math.max(0, hosts.ofHandle(device)));
    if (result == NvmlResult.SUCCESS && slot > 0) {
      Native.putInt(pci + PciInfo.DOMAIN, slot);
      RoutedDevices.domain(pci, slot);
      RoutedDevices.domain(pci + PciInfo.ADDRESS + SHORT_DOMAIN, slot);
    }
    return result;
  }

  @Override
  public int nvmlDeviceOnSameBoard(long device, long other, long same) {
    if (Hosts.join(host(device), host(other)) != Hosts.SEVERAL || same == 0) {
      return super.nvmlDeviceOnSameBoard(device, other, same);
    }
    Native.putInt(same, 0);
    return NvmlResult.SUCCESS;
  }

  private int host(long device) {
    return Math.max(0, hosts.ofHandle(device));
  }

  /** Whose the management's things are: it knows no contexts, and no numbers but of handles. */
  private static final class ManagementHosts implements Hosts {
    private final List<RemoteHost> remotes;
    private final SlotOwners owners;

    ManagementHosts(List<RemoteHost> remotes) {
      this.remotes = remotes;
      this.owners = new SlotOwners(remotes);
    }

    SlotOwners owners() {
      return owners;
    }

    /** A driver of this host may have any small number for a handle. */
    @Override
    public int ofHandle(long value) {
      return value == 0 ? ANY : Math.max(0, owners.ofHandle(value));
    }

    @Override
    public int ofAddress(long address) {
      return 0;
    }

    @Override
    public int home(long address) {
      return 0;
    }

    @Override
    public int ofOrdinal(int ordinal) {
      return ANY;
    }

    @Override
    public long valueAt(int host, long handle) {
      return handle;
    }

    @Override
    public int hostOrdinal(int host, int ordinal) {
      return ordinal;
    }

    @Override
    public int programOrdinal(int host, int ordinal) {
      return ordinal;
    }

    @Override
    public int enter(int host) {
      return Math.max(0, host);
    }

    @Override
    public int lied(int host) {
      return host == 0 ? NvmlResult.INVALID_ARGUMENT : remotes.get(host - 1).lied();
    }
  }
}
