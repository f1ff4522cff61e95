// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.route;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverRouted;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.DeviceFacts;
import io.outboard.wire.Hosts;
import io.outboard.wire.Native;
import java.util.List;
import java.util.function.ToIntFunction;

/** The devices of several hosts, and what is true of each of them in company. */
abstract class RoutedDevices extends CudaDriverRouted {
  // CUdevice_attribute of the CUDA driver API.
  private static final int PCI_DOMAIN_ID = 50;
  private static final List<Integer> OF_HOST_MEMORY = List.of(19, 83, 88, 89, 91, 100, 101);

  private static final int DOMAIN_DIGITS = 4;

  final CudaHosts all;

  RoutedDevices(CudaHosts hosts, List<? extends CudaDriver> drivers) {
    super(hosts, drivers);
    this.all = hosts;
  }

  /** Calls the driver of a device's host; that of this one says what is wrong with a number. */
  final int at(int device, ToIntFunction<Integer> call) {
    return call.applyAsInt(hosts.enter(Math.max(0, hosts.ofOrdinal(device))));
  }

  private int hostOrdinal(int host, int device) {
    return hosts.hostOrdinal(host, device);
  }

  /** The devices were asked for when the session began; one that is lost stays. */
  @Override
  public int cuInit(int flags) {
    return driver(0).cuInit(flags);
  }

  @Override
  public int cuDriverGetVersion(long version) {
    return driver(0).cuDriverGetVersion(version);
  }

  @Override
  public int cuDeviceGetCount(long count) {
    int result = driver(0).cuDeviceGetCount(count);
    if (result == CudaResult.SUCCESS) {
      Native.putInt(count, all.deviceCount());
    }
    return result;
  }

  @Override
  public int cuDeviceGet(long device, int ordinal) {
    if (device == 0) {
      return CudaResult.INVALID_VALUE;
    }
    if (hosts.ofOrdinal(ordinal) == Hosts.ANY) {
      return CudaResult.INVALID_DEVICE;
    }
    Native.putInt(device, ordinal);
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuDeviceGetName(long name, int length, int device) {
    return at(
        device, host -> driver(host).cuDeviceGetName(name, length, hostOrdinal(host, device)));
  }

  @Override
  public int cuDeviceGetUuid_v2(long uuid, int device) {
    return at(device, host -> driver(host).cuDeviceGetUuid_v2(uuid, hostOrdinal(host, device)));
  }

  @Override
  public int cuDeviceTotalMem_v2(long bytes, int device) {
    return at(device, host -> driver(host).cuDeviceTotalMem_v2(bytes, hostOrdinal(host, device)));
  }

  @Override
  public int cuDeviceGetAttribute(long value, int attribute, int device) {
    return at(device, host -> attribute(host, value, attribute, hostOrdinal(host, device)));
  }

  private int attribute(int host, long value, int attribute, int there) {
    int result = driver(host).cuDeviceGetAttribute(value, attribute, there);
    if (result == CudaResult.SUCCESS) {
      Native.putInt(value, honest(host, attribute, Native.getInt(value)));
    }
    return result;
  }

  /** Kernels of another host reach no memory of the program, and its bus is another one. */
  private int honest(int host, int attribute, int value) {
    if (host == 0) {
      return value;
    }
    if (attribute == PCI_DOMAIN_ID) {
      return all.owners().slot(host);
    }
    return OF_HOST_MEMORY.contains(attribute) ? 0 : value;
  }

  @Override
  public int outboardDeviceFacts(long facts, int device) {
    return at(device, host -> facts(host, facts, hostOrdinal(host, device)));
  }

  private int facts(int host, long facts, int there) {
    int result = driver(host).outboardDeviceFacts(facts, there);
    if (result == CudaResult.SUCCESS) {
      Native.putInt(facts + DeviceFacts.DEVICES, all.deviceCount());
      for (int attribute = 1; attribute < DeviceFacts.IMAGES; attribute++) {
        long value = facts + DeviceFacts.ATTRIBUTE_VALUES + 4L * attribute;
        Native.putInt(value, honest(host, attribute, Native.getInt(value)));
      }
    }
    return result;
  }

  @Override
  public int outboardDeviceHost(long name, int length, int device) {
    int host = hosts.ofOrdinal(device);
    if (host == Hosts.ANY) {
      return CudaResult.INVALID_DEVICE;
    }
    byte[] text = all.name(host).getBytes(US_ASCII);
    if (name == 0 || length <= text.length) {
      return CudaResult.INVALID_VALUE;
    }
    for (int i = 0; i < text.length; i++) {
      Native.putByte(name + i, text[i]);
    }
    Native.putByte(name + text.length, (byte) 0);
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuDeviceGetPCIBusId(long name, int length, int device) {
    int result = super.cuDeviceGetPCIBusId(name, length, device);
    if (result == CudaResult.SUCCESS && length > DOMAIN_DIGITS) {
      domain(name, all.owners().slot(Math.max(0, hosts.ofOrdinal(device))));
    }
    return result;
  }

  /** The host's number in the place of the domain, which is 0 on most machines. */
  static void domain(long name, int slot) {
    if (slot > 0) {
      byte[] digits = "%04x".formatted(slot).getBytes(US_ASCII);
      for (int i = 0; i < DOMAIN_DIGITS; i++) {
        Native.putByte(name + i, digits[i]);
      }
    }
  }

  @Override
  public int cuDeviceGetByPCIBusId(long device, long name) {
    PciDomain address = PciDomain.of(name);
    int host = all.owners().ofSlot(address.domain());
    if (host == 0) {
      return driver(0).cuDeviceGetByPCIBusId(device, name);
    }
    int result = address.withoutDomain(text -> driver(host).cuDeviceGetByPCIBusId(device, text));
    if (result == CudaResult.SUCCESS) {
      Native.putInt(device, hosts.programOrdinal(host, Native.getInt(device)));
    }
    return result;
  }

  @Override
  public int cuDeviceCanAccessPeer(long possible, int device, int peer) {
    return acrossHosts(device, peer, possible)
        ? CudaResult.SUCCESS
        : super.cuDeviceCanAccessPeer(possible, device, peer);
  }

  @Override
  public int cuDeviceGetP2PAttribute(long value, int attribute, int source, int destination) {
    return acrossHosts(source, destination, value)
        ? CudaResult.SUCCESS
        : super.cuDeviceGetP2PAttribute(value, attribute, source, destination);
  }

  /** Nothing of each other's is reached between hosts. */
  private boolean acrossHosts(int one, int other, long value) {
    boolean several = Hosts.join(hosts.ofOrdinal(one), hosts.ofOrdinal(other)) == Hosts.SEVERAL;
    if (several && value != 0) {
      Native.putInt(value, 0);
      return true;
    }
    return false;
  }
}
