// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.management;

import io.outboard.nvml.NvmlDevices;
import io.outboard.nvml.NvmlResult;
import io.outboard.nvml.struct.DeviceShare;
import io.outboard.nvml.struct.PciInfo;
import io.outboard.softgpu.base.Texts;
import io.outboard.softgpu.device.Device;
import io.outboard.softgpu.profile.DeviceAttribute;
import io.outboard.softgpu.profile.DeviceSlice;
import io.outboard.wire.Native;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

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
      Native.putInt(count, management.boards().size());
    }
    return result;
  }

  @Override
  public int nvmlDeviceGetHandleByIndex_v2(int index, long device) {
    int result = management.check(device);
    return result == NvmlResult.SUCCESS
        ? find(device, one -> place(one) == index, NvmlResult.INVALID_ARGUMENT)
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
        ? find(
            device, one -> management.device(one).isAt(Texts.read(address)), NvmlResult.NOT_FOUND)
        : result;
  }

  /** The first one, boards before slices. */
  private int find(long device, LongPredicate wanted, int otherwise) {
    OptionalLong found =
        LongStream.concat(
                management.boards().stream().mapToLong(Long::longValue),
                management.devices().mapToLong(Management::value))
            .filter(wanted)
            .findFirst();
    found.ifPresent(value -> Native.putLong(device, value));
    return found.isPresent() ? NvmlResult.SUCCESS : otherwise;
  }

  @Override
  public int nvmlDeviceGetName(long device, long name, int length) {
    int result = management.check(name, device);
    return result == NvmlResult.SUCCESS ? Management.text(name, length, name(device)) : result;
  }

  @Override
  public int nvmlDeviceGetUUID(long device, long uuid, int length) {
    int result = management.check(uuid, device);
    return result == NvmlResult.SUCCESS ? Management.text(uuid, length, uuid(device)) : result;
  }

  private String name(long value) {
    Device device = management.device(value);
    return (Management.isCut(value) ? device.board() : device.profile()).name();
  }

  /** As the vendor writes the bytes of {@code cuDeviceGetUuid}. */
  private String uuid(long value) {
    Device device = management.device(value);
    return Management.isCut(value) || device.slice().isEmpty()
        ? "GPU-" + device.boardUuid()
        : "MIG-" + device.uuid();
  }

  @Override
  public int nvmlDeviceGetIndex(long device, long index) {
    return management.answer(index, device, place(device));
  }

  @Override
  public int nvmlDeviceGetMinorNumber(long device, long number) {
    return management.answer(number, device, place(device));
  }

  @Override
  public int nvmlDeviceGetBoardId(long device, long board) {
    return management.answer(board, device, place(device));
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

  /** Which of the boards it is; less than 0 for what is none. */
  private int place(long device) {
    return management.boards().indexOf(device);
  }

  @Override
  public int nvmlDeviceGetAttributes_v2(long device, long attributes) {
    int result = management.check(attributes, device);
    if (result != NvmlResult.SUCCESS) {
      return result;
    }
    Optional<DeviceSlice> slice = management.slice(device);
    slice.ifPresent(one -> write(attributes, one, management.device(device).memory().size()));
    return slice.isPresent() ? NvmlResult.SUCCESS : NvmlResult.NOT_SUPPORTED;
  }

  /** It has no engines of its own. */
  private static void write(long attributes, DeviceSlice slice, long memory) {
    Native.fill(attributes, DeviceShare.BYTES, (byte) 0);
    Native.putInt(attributes, slice.multiprocessors());
    Native.putInt(attributes + DeviceShare.GPU_SLICES, slice.computeSlices());
    Native.putInt(attributes + DeviceShare.COMPUTE_SLICES, slice.computeSlices());
    Native.putLong(attributes + DeviceShare.MEMORY_MIB, memory >> 20);
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
