// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml;

import static io.outboard.nvml.NvmlKinds.DEVICE;
import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.nvml.struct.BridgeFirmware;
import io.outboard.nvml.struct.ConfidentialCapabilities;
import io.outboard.nvml.struct.ConfidentialSettings;
import io.outboard.nvml.struct.ConfidentialState;
import io.outboard.nvml.struct.DriverBranch;
import io.outboard.nvml.struct.ExcludedDevice;
import io.outboard.spec.Blocking;
import io.outboard.spec.CString;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.Handle;
import io.outboard.spec.In;
import io.outboard.spec.InOut;
import io.outboard.spec.Local;
import io.outboard.spec.Out;
import io.outboard.spec.Variants;
import io.outboard.spec.WrittenOn;

/**
 * Initialisation, versions and errors; NVML API Reference, "Initialization and Cleanup", "System
 * Queries", "Error reporting".
 */
public interface NvmlSystem {
  /** Initialises the library; as often as it is called, {@link #nvmlShutdown} must be. */
  @Call(1)
  @Custom("the count of initialisations, of which the first and the last travel")
  @Variants("nvmlInit")
  @Blocking
  int nvmlInit_v2();

  /** The same; flag 1 does without GPUs. */
  @Call(2)
  @Custom("the count of initialisations, of which the first and the last travel")
  @Blocking
  int nvmlInitWithFlags(int flags);

  /** Undoes one initialisation. */
  @Call(3)
  @Custom("the count of initialisations, of which the first and the last travel")
  @Blocking
  int nvmlShutdown();

  /** The version of the driver, as text. */
  @Call(4)
  int nvmlSystemGetDriverVersion(@Out @CString long version, int length);

  /** The version of this library, as text. */
  @Call(5)
  int nvmlSystemGetNVMLVersion(@Out @CString long version, int length);

  /** The version of CUDA that the driver has: 1000 × major + 10 × minor. */
  @Call(6)
  @Variants("nvmlSystemGetCudaDriverVersion")
  int nvmlSystemGetCudaDriverVersion_v2(@Out(INT) long cudaDriverVersion);

  /** The name of a process of the machine that has the devices. */
  @Call(7)
  default int nvmlSystemGetProcessName(int pid, @Out @CString long name, int length) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Firmware of the host interface cards. */
  @Call(8)
  @WrittenOn(NvmlResult.INSUFFICIENT_SIZE)
  default int nvmlSystemGetHicVersion(
      @InOut(INT) long count, @Out(struct = BridgeFirmware.class, count = "count") long cards) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The devices near a processor. */
  @Call(9)
  @WrittenOn(NvmlResult.INSUFFICIENT_SIZE)
  default int nvmlSystemGetTopologyGpuSet(
      int processor,
      @InOut(INT) long count,
      @Out(value = LONG, count = "count") @Handle(DEVICE) long devices) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The branch of the driver. */
  @Call(10)
  default int nvmlSystemGetDriverBranch(
      @InOut(struct = DriverBranch.class) long branchInfo, int length) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The system's capabilities for confidential computing. */
  @Call(11)
  default int nvmlSystemGetConfComputeCapabilities(
      @Out(struct = ConfidentialCapabilities.class) long capabilities) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Confidential computing of the system. */
  @Call(12)
  default int nvmlSystemGetConfComputeState(@Out(struct = ConfidentialState.class) long state) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Whether the devices accept work. */
  @Call(13)
  default int nvmlSystemGetConfComputeGpusReadyState(@Out(INT) long isAcceptingWork) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Settings of confidential computing. */
  @Call(14)
  default int nvmlSystemGetConfComputeSettings(
      @InOut(struct = ConfidentialSettings.class) long settings) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** How much of their links the devices use. */
  @Call(15)
  default int nvmlSystemGetNvlinkBwMode(@Out(INT) long nvlinkBwMode) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** How many devices the driver leaves alone. */
  @Call(16)
  @Variants("nvmlGetBlacklistDeviceCount")
  default int nvmlGetExcludedDeviceCount(@Out(INT) long count) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** One of them. */
  @Call(17)
  @Variants("nvmlGetBlacklistDeviceInfoByIndex")
  default int nvmlGetExcludedDeviceInfoByIndex(
      int index, @Out(struct = ExcludedDevice.class) long info) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** How many S-class units the system has. */
  @Call(18)
  default int nvmlUnitGetCount(@Out(INT) long unitCount) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The meaning of a result, as text. */
  @Local(prototype = "const char *nvmlErrorString(nvmlReturn_t result)")
  default int nvmlErrorString(int result) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** A table of functions that the vendor's own tool asks for by identifier. */
  @Local(prototype = "nvmlReturn_t nvmlInternalGetExportTable(const void **table, const void *id)")
  default int nvmlInternalGetExportTable(@Out(LONG) long table, @In(bytes = "16") long id) {
    return NvmlResult.NOT_SUPPORTED;
  }
}
