// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml;

import static io.outboard.nvml.NvmlKinds.DEVICE;
import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.nvml.struct.AddressingMode;
import io.outboard.nvml.struct.HeterogeneousMode;
import io.outboard.spec.Call;
import io.outboard.spec.Handle;
import io.outboard.spec.InOut;
import io.outboard.spec.Out;
import io.outboard.spec.Variants;

/**
 * How a device is set; NVML API Reference, "Device Queries", "Multi Instance GPU Management". Calls
 * that would change settings are refused: others use the device too.
 */
public interface NvmlModes {
  /** Whether the driver stays loaded without programs. */
  @Call(320)
  default int nvmlDeviceGetPersistenceMode(@Handle(DEVICE) long device, @Out(INT) long mode) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The mode that says how many contexts may use it at the same time. */
  @Call(321)
  default int nvmlDeviceGetComputeMode(@Handle(DEVICE) long device, @Out(INT) long mode) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Whether a display is connected. */
  @Call(322)
  default int nvmlDeviceGetDisplayMode(@Handle(DEVICE) long device, @Out(INT) long display) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Whether a display is used. */
  @Call(323)
  default int nvmlDeviceGetDisplayActive(@Handle(DEVICE) long device, @Out(INT) long isActive) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The model of the driver, on Windows. */
  @Call(324)
  @Variants("nvmlDeviceGetDriverModel")
  default int nvmlDeviceGetDriverModel_v2(
      @Handle(DEVICE) long device, @Out(INT) long current, @Out(INT) long pending) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The parts that are switched off to save power. */
  @Call(325)
  default int nvmlDeviceGetGpuOperationMode(
      @Handle(DEVICE) long device, @Out(INT) long current, @Out(INT) long pending) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Whether a function needs an administrator. */
  @Call(326)
  default int nvmlDeviceGetAPIRestriction(
      @Handle(DEVICE) long device, int apiType, @Out(INT) long isRestricted) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** How host and device share addresses. */
  @Call(327)
  default int nvmlDeviceGetAddressingMode(
      @Handle(DEVICE) long device, @InOut(struct = AddressingMode.class) long mode) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Whether it is partitioned, now and after the next start. */
  @Call(328)
  default int nvmlDeviceGetMigMode(
      @Handle(DEVICE) long device, @Out(INT) long currentMode, @Out(INT) long pendingMode) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Whether it is an instance of a partitioned device. */
  @Call(329)
  default int nvmlDeviceIsMigDeviceHandle(@Handle(DEVICE) long device, @Out(INT) long is) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The instance. */
  @Call(330)
  default int nvmlDeviceGetGpuInstanceId(@Handle(DEVICE) long device, @Out(INT) long id) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The compute instance of it. */
  @Call(331)
  default int nvmlDeviceGetComputeInstanceId(@Handle(DEVICE) long device, @Out(INT) long id) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** How many instances there can be. */
  @Call(332)
  default int nvmlDeviceGetMaxMigDeviceCount(@Handle(DEVICE) long device, @Out(INT) long count) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** One of them. */
  @Call(333)
  default int nvmlDeviceGetMigDeviceHandleByIndex(
      @Handle(DEVICE) long device, int index, @Out(LONG) @Handle(DEVICE) long migDevice) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The device of an instance. */
  @Call(334)
  default int nvmlDeviceGetDeviceHandleFromMigDeviceHandle(
      @Handle(DEVICE) long migDevice, @Out(LONG) @Handle(DEVICE) long device) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Whether it is passed through or shared. */
  @Call(335)
  default int nvmlDeviceGetVirtualizationMode(@Handle(DEVICE) long device, @Out(INT) long mode) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** How it is shared. */
  @Call(336)
  default int nvmlDeviceGetHostVgpuMode(@Handle(DEVICE) long device, @Out(INT) long pHostVgpuMode) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Whether virtual GPUs of different sizes share it. */
  @Call(337)
  default int nvmlDeviceGetVgpuHeterogeneousMode(
      @Handle(DEVICE) long device,
      @InOut(struct = HeterogeneousMode.class) long pHeterogeneousMode) {
    return NvmlResult.NOT_SUPPORTED;
  }
}
