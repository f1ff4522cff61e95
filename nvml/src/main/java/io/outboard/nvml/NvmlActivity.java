// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml;

import static io.outboard.nvml.NvmlKinds.DEVICE;
import static io.outboard.spec.Scalar.INT;

import io.outboard.nvml.struct.AccountingStatistics;
import io.outboard.nvml.struct.CaptureSession;
import io.outboard.nvml.struct.CaptureStatistics;
import io.outboard.nvml.struct.EncoderSession;
import io.outboard.nvml.struct.FieldValue;
import io.outboard.nvml.struct.ProcessSample;
import io.outboard.nvml.struct.ProcessV1;
import io.outboard.nvml.struct.ProcessV2;
import io.outboard.nvml.struct.Sample;
import io.outboard.nvml.struct.Utilization;
import io.outboard.nvml.struct.ViolationTime;
import io.outboard.spec.Call;
import io.outboard.spec.Handle;
import io.outboard.spec.InOut;
import io.outboard.spec.Out;
import io.outboard.spec.WrittenOn;

/**
 * A device's work, and the processes that it is for; NVML API Reference, "Device Queries",
 * "Accounting Statistics". Processes are those of the machine that has the devices.
 */
public interface NvmlActivity {
  /** How busy it was, in percent. */
  @Call(140)
  int nvmlDeviceGetUtilizationRates(
      @Handle(DEVICE) long device, @Out(struct = Utilization.class) long utilization);

  /** How busy its encoder was. */
  @Call(141)
  default int nvmlDeviceGetEncoderUtilization(
      @Handle(DEVICE) long device, @Out(INT) long utilization, @Out(INT) long samplingPeriodUs) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** How busy its decoder was. */
  @Call(142)
  default int nvmlDeviceGetDecoderUtilization(
      @Handle(DEVICE) long device, @Out(INT) long utilization, @Out(INT) long samplingPeriodUs) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** How busy its JPEG unit was. */
  @Call(143)
  default int nvmlDeviceGetJpgUtilization(
      @Handle(DEVICE) long device, @Out(INT) long utilization, @Out(INT) long samplingPeriodUs) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** How busy its optical flow unit was. */
  @Call(144)
  default int nvmlDeviceGetOfaUtilization(
      @Handle(DEVICE) long device, @Out(INT) long utilization, @Out(INT) long samplingPeriodUs) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** How much of its encoder is free. */
  @Call(145)
  default int nvmlDeviceGetEncoderCapacity(
      @Handle(DEVICE) long device, int encoderQueryType, @Out(INT) long encoderCapacity) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Sessions of its encoder. */
  @Call(146)
  default int nvmlDeviceGetEncoderStats(
      @Handle(DEVICE) long device,
      @Out(INT) long sessionCount,
      @Out(INT) long averageFps,
      @Out(INT) long averageLatency) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Those. */
  @Call(147)
  @WrittenOn(NvmlResult.INSUFFICIENT_SIZE)
  default int nvmlDeviceGetEncoderSessions(
      @Handle(DEVICE) long device,
      @InOut(INT) long count,
      @Out(struct = EncoderSession.class, count = "count") long sessions) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Frame buffer capture. */
  @Call(148)
  default int nvmlDeviceGetFBCStats(
      @Handle(DEVICE) long device, @Out(struct = CaptureStatistics.class) long fbcStats) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Its sessions. */
  @Call(149)
  @WrittenOn(NvmlResult.INSUFFICIENT_SIZE)
  default int nvmlDeviceGetFBCSessions(
      @Handle(DEVICE) long device,
      @InOut(INT) long count,
      @Out(struct = CaptureSession.class, count = "count") long sessions) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /**
   * The processes that have a compute context on a device, as the oldest version of the library
   * tells them.
   */
  @Call(150)
  @WrittenOn(NvmlResult.INSUFFICIENT_SIZE)
  default int nvmlDeviceGetComputeRunningProcesses(
      @Handle(DEVICE) long device,
      @InOut(INT) long count,
      @Out(struct = ProcessV1.class, count = "count") long processes) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The same, with instances. */
  @Call(151)
  @WrittenOn(NvmlResult.INSUFFICIENT_SIZE)
  default int nvmlDeviceGetComputeRunningProcesses_v2(
      @Handle(DEVICE) long device,
      @InOut(INT) long count,
      @Out(struct = ProcessV2.class, count = "count") long processes) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The same. */
  @Call(152)
  @WrittenOn(NvmlResult.INSUFFICIENT_SIZE)
  default int nvmlDeviceGetComputeRunningProcesses_v3(
      @Handle(DEVICE) long device,
      @InOut(INT) long count,
      @Out(struct = ProcessV2.class, count = "count") long processes) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /**
   * The processes that have a graphics context on a device, as the oldest version of the library
   * tells them.
   */
  @Call(153)
  @WrittenOn(NvmlResult.INSUFFICIENT_SIZE)
  default int nvmlDeviceGetGraphicsRunningProcesses(
      @Handle(DEVICE) long device,
      @InOut(INT) long count,
      @Out(struct = ProcessV1.class, count = "count") long processes) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The same, with instances. */
  @Call(154)
  @WrittenOn(NvmlResult.INSUFFICIENT_SIZE)
  default int nvmlDeviceGetGraphicsRunningProcesses_v2(
      @Handle(DEVICE) long device,
      @InOut(INT) long count,
      @Out(struct = ProcessV2.class, count = "count") long processes) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The same. */
  @Call(155)
  @WrittenOn(NvmlResult.INSUFFICIENT_SIZE)
  default int nvmlDeviceGetGraphicsRunningProcesses_v3(
      @Handle(DEVICE) long device,
      @InOut(INT) long count,
      @Out(struct = ProcessV2.class, count = "count") long processes) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /**
   * The processes that have a compute context behind a server on a device, as the oldest version of
   * the library tells them.
   */
  @Call(156)
  @WrittenOn(NvmlResult.INSUFFICIENT_SIZE)
  default int nvmlDeviceGetMPSComputeRunningProcesses(
      @Handle(DEVICE) long device,
      @InOut(INT) long count,
      @Out(struct = ProcessV1.class, count = "count") long processes) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The same, with instances. */
  @Call(157)
  @WrittenOn(NvmlResult.INSUFFICIENT_SIZE)
  default int nvmlDeviceGetMPSComputeRunningProcesses_v2(
      @Handle(DEVICE) long device,
      @InOut(INT) long count,
      @Out(struct = ProcessV2.class, count = "count") long processes) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The same. */
  @Call(158)
  @WrittenOn(NvmlResult.INSUFFICIENT_SIZE)
  default int nvmlDeviceGetMPSComputeRunningProcesses_v3(
      @Handle(DEVICE) long device,
      @InOut(INT) long count,
      @Out(struct = ProcessV2.class, count = "count") long processes) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** How much of it processes used since a time. */
  @Call(159)
  @WrittenOn(NvmlResult.INSUFFICIENT_SIZE)
  default int nvmlDeviceGetProcessUtilization(
      @Handle(DEVICE) long device,
      @Out(struct = ProcessSample.class, count = "count") long samples,
      @InOut(INT) long count,
      long since) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Samples since a time. */
  @Call(160)
  @WrittenOn(NvmlResult.INSUFFICIENT_SIZE)
  default int nvmlDeviceGetSamples(
      @Handle(DEVICE) long device,
      int type,
      long since,
      @Out(INT) long valueType,
      @InOut(INT) long count,
      @Out(struct = Sample.class, count = "count") long samples) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Figures by number; each has a result of its own. */
  @Call(161)
  default int nvmlDeviceGetFieldValues(
      @Handle(DEVICE) long device,
      int count,
      @InOut(struct = FieldValue.class, count = "count") long values) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** How long a policy has held it back. */
  @Call(162)
  default int nvmlDeviceGetViolationStatus(
      @Handle(DEVICE) long device,
      int perfPolicyType,
      @Out(struct = ViolationTime.class) long violTime) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Whether the use by processes is kept. */
  @Call(163)
  default int nvmlDeviceGetAccountingMode(@Handle(DEVICE) long device, @Out(INT) long mode) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Of how many processes at most. */
  @Call(164)
  default int nvmlDeviceGetAccountingBufferSize(
      @Handle(DEVICE) long device, @Out(INT) long bufferSize) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Of which ones. */
  @Call(165)
  @WrittenOn(NvmlResult.INSUFFICIENT_SIZE)
  default int nvmlDeviceGetAccountingPids(
      @Handle(DEVICE) long device,
      @InOut(INT) long count,
      @Out(value = INT, count = "count") long processes) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The use of a device by one of them. */
  @Call(166)
  default int nvmlDeviceGetAccountingStats(
      @Handle(DEVICE) long device, int pid, @Out(struct = AccountingStatistics.class) long stats) {
    return NvmlResult.NOT_SUPPORTED;
  }
}
