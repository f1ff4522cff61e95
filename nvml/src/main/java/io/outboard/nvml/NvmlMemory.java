// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml;

import static io.outboard.nvml.NvmlKinds.DEVICE;
import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.nvml.struct.Bar1Memory;
import io.outboard.nvml.struct.ConfidentialMemory;
import io.outboard.nvml.struct.DramEncryption;
import io.outboard.nvml.struct.EccErrors;
import io.outboard.nvml.struct.Memory;
import io.outboard.nvml.struct.MemoryV2;
import io.outboard.nvml.struct.RemappedRows;
import io.outboard.nvml.struct.RepairStatus;
import io.outboard.nvml.struct.RowHistogram;
import io.outboard.nvml.struct.SramErrors;
import io.outboard.nvml.struct.UnrepairableMemory;
import io.outboard.spec.Call;
import io.outboard.spec.Handle;
import io.outboard.spec.InOut;
import io.outboard.spec.Out;
import io.outboard.spec.WrittenOn;

/** Memory and its errors; NVML API Reference, "Device Queries". */
public interface NvmlMemory {
  /** Memory: in all, free, used. */
  @Call(100)
  int nvmlDeviceGetMemoryInfo(@Handle(DEVICE) long device, @Out(struct = Memory.class) long memory);

  /** The same, with what the driver keeps for itself told apart. */
  @Call(101)
  int nvmlDeviceGetMemoryInfo_v2(
      @Handle(DEVICE) long device, @InOut(struct = MemoryV2.class) long memory);

  /** The window through which a host sees it. */
  @Call(102)
  default int nvmlDeviceGetBAR1MemoryInfo(
      @Handle(DEVICE) long device, @Out(struct = Bar1Memory.class) long bar1Memory) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The width of its bus, in bits. */
  @Call(103)
  default int nvmlDeviceGetMemoryBusWidth(@Handle(DEVICE) long device, @Out(INT) long busWidth) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Whether errors are corrected, now and after the next start. */
  @Call(104)
  default int nvmlDeviceGetEccMode(
      @Handle(DEVICE) long device, @Out(INT) long current, @Out(INT) long pending) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Whether they are as the product comes. */
  @Call(105)
  default int nvmlDeviceGetDefaultEccMode(@Handle(DEVICE) long device, @Out(INT) long defaultMode) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Errors in all. */
  @Call(106)
  default int nvmlDeviceGetTotalEccErrors(
      @Handle(DEVICE) long device, int errorType, int counterType, @Out(LONG) long eccCounts) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Errors by place. */
  @Call(107)
  default int nvmlDeviceGetDetailedEccErrors(
      @Handle(DEVICE) long device,
      int errorType,
      int counterType,
      @Out(struct = EccErrors.class) long eccCounts) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Errors of one place. */
  @Call(108)
  default int nvmlDeviceGetMemoryErrorCounter(
      @Handle(DEVICE) long device,
      int errorType,
      int counterType,
      int locationType,
      @Out(LONG) long count) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Errors of static memory. */
  @Call(109)
  default int nvmlDeviceGetSramEccErrorStatus(
      @Handle(DEVICE) long device, @InOut(struct = SramErrors.class) long status) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Pages that are not used any more. */
  @Call(110)
  @WrittenOn(NvmlResult.INSUFFICIENT_SIZE)
  default int nvmlDeviceGetRetiredPages(
      @Handle(DEVICE) long device,
      int cause,
      @InOut(INT) long count,
      @Out(value = LONG, count = "count") long addresses) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The same, with times. */
  @Call(111)
  @WrittenOn(NvmlResult.INSUFFICIENT_SIZE)
  default int nvmlDeviceGetRetiredPages_v2(
      @Handle(DEVICE) long device,
      int cause,
      @InOut(INT) long count,
      @Out(value = LONG, count = "count") long addresses,
      @Out(value = LONG, count = "count") long times) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Whether pages wait for a start to be retired. */
  @Call(112)
  default int nvmlDeviceGetRetiredPagesPendingStatus(
      @Handle(DEVICE) long device, @Out(INT) long isPending) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Rows that others stand in for. */
  @Call(113)
  default int nvmlDeviceGetRemappedRows(
      @Handle(DEVICE) long device,
      @Out(INT) long corrRows,
      @Out(INT) long uncRows,
      @Out(INT) long isPending,
      @Out(INT) long failureOccurred) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The same, with those not yet active. */
  @Call(114)
  default int nvmlDeviceGetRemappedRows_v2(
      @Handle(DEVICE) long device, @Out(struct = RemappedRows.class) long info) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Banks by spare rows. */
  @Call(115)
  default int nvmlDeviceGetRowRemapperHistogram(
      @Handle(DEVICE) long device, @Out(struct = RowHistogram.class) long values) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Repairs that wait for a reset. */
  @Call(116)
  default int nvmlDeviceGetRepairStatus(
      @Handle(DEVICE) long device, @InOut(struct = RepairStatus.class) long repairStatus) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Whether there is memory that cannot be repaired. */
  @Call(117)
  default int nvmlDeviceGetUnrepairableMemoryFlag_v1(
      @Handle(DEVICE) long device,
      @Out(struct = UnrepairableMemory.class) long unrepairableMemoryStatus) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Encryption of memory, now and after the next start. */
  @Call(118)
  default int nvmlDeviceGetDramEncryptionMode(
      @Handle(DEVICE) long device,
      @InOut(struct = DramEncryption.class) long current,
      @InOut(struct = DramEncryption.class) long pending) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Memory by protection. */
  @Call(119)
  default int nvmlDeviceGetConfComputeMemSizeInfo(
      @Handle(DEVICE) long device, @Out(struct = ConfidentialMemory.class) long memInfo) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Use of protected memory. */
  @Call(120)
  default int nvmlDeviceGetConfComputeProtectedMemoryUsage(
      @Handle(DEVICE) long device, @Out(struct = Memory.class) long memory) {
    return NvmlResult.NOT_SUPPORTED;
  }
}
