// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.call;

import io.outboard.cuda.CudaDevices;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.DeviceFacts;
import io.outboard.softgpu.base.Texts;
import io.outboard.softgpu.device.Device;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.profile.DeviceAttribute;
import io.outboard.wire.Native;
import java.util.Set;
import java.util.UUID;

/** Initialisation and devices. */
public final class DeviceCalls implements CudaDevices {
  /** 1000 × major + 10 × minor of the CUDA version whose interface is served. */
  public static final int DRIVER_VERSION = 13_000;

  /** {@code CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED}, the last one. */
  private static final int LAST_P2P_ATTRIBUTE = 5;

  /** Of elements that linear textures have ({@code CUarray_format}): integers and floats. */
  private static final Set<Integer> TEXTURE_FORMATS = Set.of(1, 2, 3, 8, 9, 10, 0x10, 0x20);

  private static final Set<Integer> TEXTURE_CHANNELS = Set.of(1, 2, 4);

  private final Machine machine;

  public DeviceCalls(Machine machine) {
    this.machine = machine;
  }

  @Override
  public int cuInit(int flags) {
    if (flags != 0) {
      return CudaResult.INVALID_VALUE;
    }
    if (machine.deviceCount() == 0) {
      return CudaResult.NO_DEVICE;
    }
    machine.initialise();
    return CudaResult.SUCCESS;
  }

  @Override
  public int outboardDeviceFacts(long facts, int device) {
    int result = CudaDevices.super.outboardDeviceFacts(facts, device);
    if (result == CudaResult.SUCCESS) {
      DeviceFacts.takes(facts, DeviceFacts.TEXTS);
    }
    return result;
  }

  @Override
  public int cuDriverGetVersion(long version) {
    if (version == 0) {
      return CudaResult.INVALID_VALUE;
    }
    Native.putInt(version, DRIVER_VERSION);
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuDeviceGetCount(long count) {
    int result = check(count);
    if (result == CudaResult.SUCCESS) {
      Native.putInt(count, machine.deviceCount());
    }
    return result;
  }

  @Override
  public int cuDeviceGet(long device, int ordinal) {
    int result = check(device, ordinal);
    if (result == CudaResult.SUCCESS) {
      Native.putInt(device, ordinal);
    }
    return result;
  }

  @Override
  public int cuDeviceGetName(long name, int length, int device) {
    int result = length < 1 ? CudaResult.INVALID_VALUE : check(name, device);
    if (result == CudaResult.SUCCESS) {
      Texts.write(name, length, machine.device(device).profile().name());
    }
    return result;
  }

  @Override
  public int cuDeviceGetUuid_v2(long uuid, int device) {
    int result = check(uuid, device);
    if (result == CudaResult.SUCCESS) {
      UUID value = machine.device(device).uuid();
      Native.putLong(uuid, Long.reverseBytes(value.getMostSignificantBits()));
      Native.putLong(uuid + 8, Long.reverseBytes(value.getLeastSignificantBits()));
    }
    return result;
  }

  @Override
  public int cuDeviceTotalMem_v2(long bytes, int device) {
    int result = check(bytes, device);
    if (result == CudaResult.SUCCESS) {
      Native.putLong(bytes, machine.device(device).memory().size());
    }
    return result;
  }

  @Override
  public int cuDeviceGetAttribute(long value, int attribute, int device) {
    int result = check(value, device);
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    Device known = machine.device(device);
    if (!known.profile().knows(attribute)) {
      return CudaResult.INVALID_VALUE;
    }
    Native.putInt(value, known.attribute(attribute));
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuDeviceGetTexture1DLinearMaxWidth(
      long elements, int format, int channels, int device) {
    int result = check(elements, device);
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    if (!TEXTURE_FORMATS.contains(format) || !TEXTURE_CHANNELS.contains(channels)) {
      return CudaResult.INVALID_VALUE;
    }
    Native.putLong(
        elements, machine.device(device).attribute(DeviceAttribute.MAX_TEXTURE_1D_LINEAR_WIDTH));
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuDeviceGetPCIBusId(long name, int length, int device) {
    int result = length < 1 ? CudaResult.INVALID_VALUE : check(name, device);
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    String address = machine.device(device).pciAddress();
    Texts.write(name, length, address);
    return address.length() < length ? CudaResult.SUCCESS : CudaResult.INVALID_VALUE;
  }

  @Override
  public int cuDeviceGetByPCIBusId(long device, long name) {
    int result = name == 0 ? CudaResult.INVALID_VALUE : check(device);
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    String address = Texts.read(name);
    if (!Device.isAddress(address)) {
      return CudaResult.INVALID_VALUE;
    }
    for (int ordinal = 0; ordinal < machine.deviceCount(); ordinal++) {
      if (machine.device(ordinal).isAt(address)) {
        Native.putInt(device, ordinal);
        return CudaResult.SUCCESS;
      }
    }
    return CudaResult.INVALID_DEVICE;
  }

  @Override
  public int cuDeviceCanAccessPeer(long possible, int device, int peer) {
    int result = check(possible, device, peer);
    if (result == CudaResult.SUCCESS) {
      Native.putInt(possible, 0);
    }
    return result;
  }

  @Override
  public int cuDeviceGetP2PAttribute(long value, int attribute, int source, int destination) {
    int result = check(value, source, destination);
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    if (source == destination) {
      return CudaResult.INVALID_DEVICE;
    }
    if (attribute < 1 || attribute > LAST_P2P_ATTRIBUTE) {
      return CudaResult.INVALID_VALUE;
    }
    Native.putInt(value, 0);
    return CudaResult.SUCCESS;
  }

  private int check(long output) {
    if (!machine.isInitialised()) {
      return CudaResult.NOT_INITIALIZED;
    }
    return output == 0 ? CudaResult.INVALID_VALUE : CudaResult.SUCCESS;
  }

  private int check(long output, int device) {
    int result = check(output);
    return result == CudaResult.SUCCESS && machine.device(device) == null
        ? CudaResult.INVALID_DEVICE
        : result;
  }

  private int check(long output, int device, int other) {
    int result = check(output, device);
    return result == CudaResult.SUCCESS ? check(output, other) : result;
  }
}
