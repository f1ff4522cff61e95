// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml;

import static io.outboard.nvml.NvmlKinds.DEVICE;
import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.nvml.struct.BandwidthMode;
import io.outboard.nvml.struct.BandwidthModes;
import io.outboard.nvml.struct.ChipLinkMode;
import io.outboard.nvml.struct.FabricInfo;
import io.outboard.nvml.struct.FabricInfoV;
import io.outboard.nvml.struct.LinkCounterControl;
import io.outboard.nvml.struct.PciInfo;
import io.outboard.spec.Call;
import io.outboard.spec.Handle;
import io.outboard.spec.InOut;
import io.outboard.spec.Local;
import io.outboard.spec.Out;
import io.outboard.spec.WrittenOn;

/** The connections of a device; NVML API Reference, "Device Queries", "NvLink Methods". */
public interface NvmlLinks {
  /** The generation of its bus at most, in this system. */
  @Call(270)
  default int nvmlDeviceGetMaxPcieLinkGeneration(
      @Handle(DEVICE) long device, @Out(INT) long maxLinkGen) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The generation that the device itself has at most. */
  @Call(271)
  default int nvmlDeviceGetGpuMaxPcieLinkGeneration(
      @Handle(DEVICE) long device, @Out(INT) long maxLinkGenDevice) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The width of its bus at most. */
  @Call(272)
  default int nvmlDeviceGetMaxPcieLinkWidth(
      @Handle(DEVICE) long device, @Out(INT) long maxLinkWidth) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The generation now. */
  @Call(273)
  default int nvmlDeviceGetCurrPcieLinkGeneration(
      @Handle(DEVICE) long device, @Out(INT) long currLinkGen) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The width now. */
  @Call(274)
  default int nvmlDeviceGetCurrPcieLinkWidth(
      @Handle(DEVICE) long device, @Out(INT) long currLinkWidth) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The speed at most, in MB/s. */
  @Call(275)
  default int nvmlDeviceGetPcieLinkMaxSpeed(@Handle(DEVICE) long device, @Out(INT) long maxSpeed) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The speed now, in MB/s. */
  @Call(276)
  default int nvmlDeviceGetPcieSpeed(@Handle(DEVICE) long device, @Out(INT) long pcieSpeed) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Its traffic, in KB/s. */
  @Call(277)
  default int nvmlDeviceGetPcieThroughput(
      @Handle(DEVICE) long device, int counter, @Out(INT) long value) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** How often it had to say something again. */
  @Call(278)
  default int nvmlDeviceGetPcieReplayCounter(@Handle(DEVICE) long device, @Out(INT) long value) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The nearest common ancestor of two devices on the way to memory. */
  @Call(279)
  default int nvmlDeviceGetTopologyCommonAncestor(
      @Handle(DEVICE) long device1, @Handle(DEVICE) long device2, @Out(INT) long pathInfo) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The devices so near. */
  @Call(280)
  @WrittenOn(NvmlResult.INSUFFICIENT_SIZE)
  default int nvmlDeviceGetTopologyNearestGpus(
      @Handle(DEVICE) long device,
      int level,
      @InOut(INT) long count,
      @Out(value = LONG, count = "count") @Handle(DEVICE) long devices) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Whether two devices can use memory of each other. */
  @Call(281)
  default int nvmlDeviceGetP2PStatus(
      @Handle(DEVICE) long device1,
      @Handle(DEVICE) long device2,
      int ability,
      @Out(INT) long status) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The processors near it, a mask in words of 64 bits. */
  @Call(282)
  default int nvmlDeviceGetCpuAffinity(
      @Handle(DEVICE) long device, int words, @Out(value = LONG, count = "words") long processors) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The same, in a node or a socket. */
  @Call(283)
  default int nvmlDeviceGetCpuAffinityWithinScope(
      @Handle(DEVICE) long device,
      int words,
      @Out(value = LONG, count = "words") long processors,
      int scope) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The memory nodes near it, a mask in words of 64 bits. */
  @Call(284)
  default int nvmlDeviceGetMemoryAffinity(
      @Handle(DEVICE) long device,
      int words,
      @Out(value = LONG, count = "words") long nodes,
      int scope) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The memory node that it is itself. */
  @Call(285)
  default int nvmlDeviceGetNumaNodeId(@Handle(DEVICE) long device, @Out(INT) long node) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Whether a link is up. */
  @Call(286)
  default int nvmlDeviceGetNvLinkState(
      @Handle(DEVICE) long device, int link, @Out(INT) long isActive) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The version of a link. */
  @Call(287)
  default int nvmlDeviceGetNvLinkVersion(
      @Handle(DEVICE) long device, int link, @Out(INT) long version) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** A capability of a link. */
  @Call(288)
  default int nvmlDeviceGetNvLinkCapability(
      @Handle(DEVICE) long device, int link, int capability, @Out(INT) long capResult) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Where the other end of a link is. */
  @Call(289)
  default int nvmlDeviceGetNvLinkRemotePciInfo_v2(
      @Handle(DEVICE) long device, int link, @Out(struct = PciInfo.class) long pci) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The same in an older form of the structure, without its last member. */
  @Local(
      prototype =
          "nvmlReturn_t nvmlDeviceGetNvLinkRemotePciInfo(nvmlDevice_t device, int link, void *pci)")
  default int nvmlDeviceGetNvLinkRemotePciInfo(@Handle(DEVICE) long device, int link, long pci) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The type of the device at the other end of a link. */
  @Call(290)
  default int nvmlDeviceGetNvLinkRemoteDeviceType(
      @Handle(DEVICE) long device, int link, @Out(INT) long type) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Errors of a link. */
  @Call(291)
  default int nvmlDeviceGetNvLinkErrorCounter(
      @Handle(DEVICE) long device, int link, int counter, @Out(LONG) long counterValue) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The traffic of a link. */
  @Call(292)
  default int nvmlDeviceGetNvLinkUtilizationCounter(
      @Handle(DEVICE) long device,
      int link,
      int counter,
      @Out(LONG) long rxcounter,
      @Out(LONG) long txcounter) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The unit of that counter. */
  @Call(293)
  default int nvmlDeviceGetNvLinkUtilizationControl(
      @Handle(DEVICE) long device,
      int link,
      int counter,
      @Out(struct = LinkCounterControl.class) long control) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** How much of its links it uses. */
  @Call(294)
  default int nvmlDeviceGetNvlinkBwMode(
      @Handle(DEVICE) long device, @InOut(struct = BandwidthMode.class) long getBwMode) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The modes of that. */
  @Call(295)
  default int nvmlDeviceGetNvlinkSupportedBwModes(
      @Handle(DEVICE) long device, @InOut(struct = BandwidthModes.class) long supportedBwMode) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Its place in a fabric of several hosts. */
  @Call(296)
  default int nvmlDeviceGetGpuFabricInfo(
      @Handle(DEVICE) long device, @Out(struct = FabricInfo.class) long gpuFabricInfo) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The same, with its health. */
  @Call(297)
  default int nvmlDeviceGetGpuFabricInfoV(
      @Handle(DEVICE) long device, @InOut(struct = FabricInfoV.class) long gpuFabricInfo) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Its link with the processor of its package. */
  @Call(298)
  default int nvmlDeviceGetC2cModeInfoV(
      @Handle(DEVICE) long device, @Out(struct = ChipLinkMode.class) long c2cModeInfo) {
    return NvmlResult.NOT_SUPPORTED;
  }
}
