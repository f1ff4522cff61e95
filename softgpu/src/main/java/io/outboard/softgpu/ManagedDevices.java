// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import io.outboard.nvml.NvmlDevices;
import io.outboard.nvml.NvmlResult;
import io.outboard.nvml.PciInfo;
import io.outboard.wire.Native;
import java.util.function.Predicate;

/** Which devices there are, and what is constant about them. */
final class ManagedDevices implements NvmlDevices {
  private final Management management;

  ManagedDevices(Management management) {
    this.management = management;
  }

  @Override
  public int nvmlDeviceGetCount_v2(long count) {
    int result = management.check(count);
    if (result == NvmlResult.SUCCESS) {
      Native.putInt(count, management.machine().deviceCount());
    }
    return result;
  }

  @Override
  public int nvmlDeviceGetHandleByIndex_v2(int index, long device) {
    int result = management.check(device);
    return result == NvmlResult.SUCCESS
        ? find(device, one -> one.ordinal() == index, NvmlResult.INVALID_ARGUMENT)
        : result;
  }

  @Override
  public int nvmlDeviceGetHandleByUUID(long uuid, long device) {
    int result = uuid == 0 ? NvmlResult.INVALID_ARGUMENT : management.check(device);
    return result == NvmlResult.SUCCESS
        ? find(device, one -> uuid(one).equals(Texts.read(uuid)), NvmlResult.NOT_FOUND)
        : result;
  }

  @Override
  public int nvmlDeviceGetHandleByPciBusId_v2(long address, long device) {
    int result = address == 0 ? NvmlResult.INVALID_ARGUMENT : management.check(device);
    return result == NvmlResult.SUCCESS
        ? find(device, one -> one.isAt(Texts.read(address)), NvmlResult.NOT_FOUND)
        : result;
  }

  private int find(long device, Predicate<Device> wanted, int otherwise) {
    for (int ordinal = 0; ordinal < management.machine().deviceCount(); ordinal++) {
      Device one = management.machine().device(ordinal);
      if (wanted.test(one)) {
        Native.putLong(device, Management.value(one));
        return NvmlResult.SUCCESS;
      }
    }
    return otherwise;
  }

  @Override
  public int nvmlDeviceGetName(long device, long name, int length) {
    int result = management.check(name, device);
    return result == NvmlResult.SUCCESS
        ? Management.text(name, length, management.device(device).profile().name())
        : result;
  }

  @Override
  public int nvmlDeviceGetUUID(long device, long uuid, int length) {
    int result = management.check(uuid, device);
    return result == NvmlResult.SUCCESS
        ? Management.text(uuid, length, uuid(management.device(device)))
        : result;
  }

  /** As the vendor writes the bytes of {@code cuDeviceGetUuid}. */
  private static String uuid(Device device) {
    return "GPU-" + device.uuid();
  }

  @Override
  public int nvmlDeviceGetIndex(long device, long index) {
    return management.answer(index, device, ordinal(device));
  }

  @Override
  public int nvmlDeviceGetMinorNumber(long device, long number) {
    return management.answer(number, device, ordinal(device));
  }

  @Override
  public int nvmlDeviceGetBoardId(long device, long board) {
    return management.answer(board, device, ordinal(device));
  }

  @Override
  public int nvmlDeviceGetMultiGpuBoard(long device, long several) {
    return management.answer(several, device, 0);
  }

  @Override
  public int nvmlDeviceOnSameBoard(long device, long other, long same) {
    int result = management.check(same, other);
    return result == NvmlResult.SUCCESS
        ? management.answer(same, device, device == other ? 1 : 0)
        : result;
  }

  private static int ordinal(long device) {
    return (int) device - 1;
  }

  @Override
  public int nvmlDeviceGetPciInfo_v3(long device, long place) {
    int result = management.check(place, device);
    if (result == NvmlResult.SUCCESS) {
      String address = management.device(device).pciAddress();
      Native.fill(place, PciInfo.BYTES, (byte) 0);
      Texts.write(place, PciInfo.DOMAIN, address);
      Native.putInt(place + PciInfo.BUS, management.device(device).bus());
      Texts.write(place + PciInfo.ADDRESS, PciInfo.BYTES - PciInfo.ADDRESS, "0000" + address);
    }
    return result;
  }

  @Override
  public int nvmlDeviceGetCudaComputeCapability(long device, long major, long minor) {
    int result = management.check(minor, device);
    if (result == NvmlResult.SUCCESS) {
      Device asked = management.device(device);
      Native.putInt(minor, asked.attribute(DeviceAttribute.COMPUTE_CAPABILITY_MINOR));
      result =
          management.answer(
              major, device, asked.attribute(DeviceAttribute.COMPUTE_CAPABILITY_MAJOR));
    }
    return result;
  }
}
