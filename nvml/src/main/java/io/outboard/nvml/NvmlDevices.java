// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml;

import static io.outboard.nvml.NvmlKinds.DEVICE;
import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.nvml.struct.BridgeChips;
import io.outboard.nvml.struct.Capabilities;
import io.outboard.nvml.struct.DeviceShare;
import io.outboard.nvml.struct.Hostname;
import io.outboard.nvml.struct.LicensedFeatures;
import io.outboard.nvml.struct.PciInfo;
import io.outboard.nvml.struct.PciInfoExtended;
import io.outboard.nvml.struct.PlatformIdentity;
import io.outboard.nvml.struct.PlatformInfo;
import io.outboard.spec.CString;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.Handle;
import io.outboard.spec.InOut;
import io.outboard.spec.Local;
import io.outboard.spec.Out;
import io.outboard.spec.Variants;

/**
 * Which devices there are, and what is constant about them; NVML API Reference, "Device Queries".
 * CUDA_VISIBLE_DEVICES has no effect here.
 */
public interface NvmlDevices {
  /** How many devices there are. */
  @Call(40)
  @Custom("an answer that stays while the library is initialised")
  @Variants("nvmlDeviceGetCount")
  int nvmlDeviceGetCount_v2(@Out(INT) long count);

  /** The device of an index. */
  @Call(41)
  @Variants("nvmlDeviceGetHandleByIndex")
  int nvmlDeviceGetHandleByIndex_v2(int index, @Out(LONG) @Handle(DEVICE) long device);

  /** The device of a board with a serial number. */
  @Call(42)
  default int nvmlDeviceGetHandleBySerial(
      @CString long serial, @Out(LONG) @Handle(DEVICE) long device) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The device of an identity, as text. */
  @Call(43)
  int nvmlDeviceGetHandleByUUID(@CString long uuid, @Out(LONG) @Handle(DEVICE) long device);

  /** The device at a PCI address, as text. */
  @Call(44)
  @Variants("nvmlDeviceGetHandleByPciBusId")
  int nvmlDeviceGetHandleByPciBusId_v2(
      @CString long address, @Out(LONG) @Handle(DEVICE) long device);

  /** The name of the product. */
  @Call(45)
  int nvmlDeviceGetName(@Handle(DEVICE) long device, @Out @CString long name, int length);

  /** The brand of the product. */
  @Call(46)
  default int nvmlDeviceGetBrand(@Handle(DEVICE) long device, @Out(INT) long type) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The index of a device. */
  @Call(47)
  int nvmlDeviceGetIndex(@Handle(DEVICE) long device, @Out(INT) long index);

  /** The serial number of the board. */
  @Call(48)
  default int nvmlDeviceGetSerial(
      @Handle(DEVICE) long device, @Out @CString long serial, int length) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The identity that is the same everywhere and always. */
  @Call(49)
  int nvmlDeviceGetUUID(@Handle(DEVICE) long device, @Out @CString long uuid, int length);

  /** The number in the name of the device file. */
  @Call(50)
  int nvmlDeviceGetMinorNumber(@Handle(DEVICE) long device, @Out(INT) long minorNumber);

  /** The part number of the board. */
  @Call(51)
  default int nvmlDeviceGetBoardPartNumber(
      @Handle(DEVICE) long device, @Out @CString long partNumber, int length) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The board, as a number. */
  @Call(52)
  default int nvmlDeviceGetBoardId(@Handle(DEVICE) long device, @Out(INT) long boardId) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Whether the board has several devices. */
  @Call(53)
  default int nvmlDeviceGetMultiGpuBoard(@Handle(DEVICE) long device, @Out(INT) long multiGpuBool) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Whether two devices are on one board. */
  @Call(54)
  default int nvmlDeviceOnSameBoard(
      @Handle(DEVICE) long device1, @Handle(DEVICE) long device2, @Out(INT) long onSameBoard) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The version of a part of the information memory. */
  @Call(55)
  default int nvmlDeviceGetInforomVersion(
      @Handle(DEVICE) long device, int part, @Out @CString long version, int length) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The version of the information memory. */
  @Call(56)
  default int nvmlDeviceGetInforomImageVersion(
      @Handle(DEVICE) long device, @Out @CString long version, int length) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The checksum of the information memory. */
  @Call(57)
  default int nvmlDeviceGetInforomConfigurationChecksum(
      @Handle(DEVICE) long device, @Out(INT) long checksum) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Whether the information memory is intact. */
  @Call(58)
  default int nvmlDeviceValidateInforom(@Handle(DEVICE) long device) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** When the black box was written last, and how long that took. */
  @Call(59)
  default int nvmlDeviceGetLastBBXFlushTime(
      @Handle(DEVICE) long device, @Out(LONG) long time, @Out(LONG) long duration) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The version of the firmware. */
  @Call(60)
  default int nvmlDeviceGetVbiosVersion(
      @Handle(DEVICE) long device, @Out @CString long version, int length) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The version of the firmware of the system processor; 64 bytes of room. */
  @Call(61)
  default int nvmlDeviceGetGspFirmwareVersion(
      @Handle(DEVICE) long device, @Out(bytes = "64") @CString long version) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Whether that firmware is used. */
  @Call(62)
  default int nvmlDeviceGetGspFirmwareMode(
      @Handle(DEVICE) long device, @Out(INT) long isEnabled, @Out(INT) long defaultMode) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Where the device is on its bus. */
  @Call(63)
  int nvmlDeviceGetPciInfo_v3(@Handle(DEVICE) long device, @Out(struct = PciInfo.class) long pci);

  /** The same in an older form of the structure, without its last member. */
  @Local(prototype = "nvmlReturn_t nvmlDeviceGetPciInfo(nvmlDevice_t device, void *pci)")
  default int nvmlDeviceGetPciInfo(@Handle(DEVICE) long device, long pci) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The same in an older form of the structure, without its last member. */
  @Local(prototype = "nvmlReturn_t nvmlDeviceGetPciInfo_v2(nvmlDevice_t device, void *pci)")
  default int nvmlDeviceGetPciInfo_v2(@Handle(DEVICE) long device, long pci) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The same, with its class. */
  @Call(64)
  default int nvmlDeviceGetPciInfoExt(
      @Handle(DEVICE) long device, @InOut(struct = PciInfoExtended.class) long pci) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The generation of the chip. */
  @Call(65)
  default int nvmlDeviceGetArchitecture(@Handle(DEVICE) long device, @Out(INT) long arch) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The compute capability. */
  @Call(66)
  int nvmlDeviceGetCudaComputeCapability(
      @Handle(DEVICE) long device, @Out(INT) long major, @Out(INT) long minor);

  /** How many cores it has. */
  @Call(67)
  default int nvmlDeviceGetNumGpuCores(@Handle(DEVICE) long device, @Out(INT) long numCores) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The share of an instance of a partitioned device. */
  @Call(68)
  default int nvmlDeviceGetAttributes_v2(
      @Handle(DEVICE) long device, @Out(struct = DeviceShare.class) long attributes) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Where it is in its rack. */
  @Call(69)
  default int nvmlDeviceGetPlatformInfo(
      @Handle(DEVICE) long device, @InOut(struct = PlatformInfo.class) long platformInfo) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Its number in the chassis. */
  @Call(70)
  default int nvmlDeviceGetModuleId(@Handle(DEVICE) long device, @Out(INT) long moduleId) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Its identity on the platform. */
  @Call(71)
  default int nvmlDeviceGetPdi(
      @Handle(DEVICE) long device, @InOut(struct = PlatformIdentity.class) long pdi) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** A name that was given to it. */
  @Call(72)
  default int nvmlDeviceGetHostname_v1(
      @Handle(DEVICE) long device, @Out(struct = Hostname.class) long hostname) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Further capabilities. */
  @Call(73)
  default int nvmlDeviceGetCapabilities(
      @Handle(DEVICE) long device, @InOut(struct = Capabilities.class) long caps) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Its interrupt. */
  @Call(74)
  default int nvmlDeviceGetIrqNum(@Handle(DEVICE) long device, @Out(INT) long irqNum) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The type of its bus. */
  @Call(75)
  default int nvmlDeviceGetBusType(@Handle(DEVICE) long device, @Out(INT) long type) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The bridges on its board. */
  @Call(76)
  default int nvmlDeviceGetBridgeChipInfo(
      @Handle(DEVICE) long device, @Out(struct = BridgeChips.class) long bridgeHierarchy) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The features that want a licence. */
  @Call(77)
  default int nvmlDeviceGetGridLicensableFeatures_v4(
      @Handle(DEVICE) long device, @Out(struct = LicensedFeatures.class) long features) {
    return NvmlResult.NOT_SUPPORTED;
  }
}
