// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml;

import static io.outboard.nvml.NvmlKinds.DEVICE;
import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.nvml.struct.ClockFrequencies;
import io.outboard.nvml.struct.ClockOffset;
import io.outboard.nvml.struct.Cooler;
import io.outboard.nvml.struct.DynamicStates;
import io.outboard.nvml.struct.FanSpeed;
import io.outboard.nvml.struct.PerformanceModes;
import io.outboard.nvml.struct.Temperature;
import io.outboard.nvml.struct.TemperatureMargin;
import io.outboard.nvml.struct.ThermalSettings;
import io.outboard.spec.Call;
import io.outboard.spec.Handle;
import io.outboard.spec.InOut;
import io.outboard.spec.Out;
import io.outboard.spec.Variants;
import io.outboard.spec.WrittenOn;

/**
 * Power, clocks, temperature, fans; NVML API Reference, "Device Queries". Power in milliwatts,
 * clocks in MHz, temperature in degrees Celsius.
 */
public interface NvmlPower {
  /** The power that it draws. */
  @Call(200)
  default int nvmlDeviceGetPowerUsage(@Handle(DEVICE) long device, @Out(INT) long power) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The energy that it has used since the driver was loaded, in millijoules. */
  @Call(201)
  default int nvmlDeviceGetTotalEnergyConsumption(
      @Handle(DEVICE) long device, @Out(LONG) long energy) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Whether its power is managed. */
  @Call(202)
  default int nvmlDeviceGetPowerManagementMode(@Handle(DEVICE) long device, @Out(INT) long mode) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The limit that was set. */
  @Call(203)
  default int nvmlDeviceGetPowerManagementLimit(@Handle(DEVICE) long device, @Out(INT) long limit) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The limit as the product comes. */
  @Call(204)
  default int nvmlDeviceGetPowerManagementDefaultLimit(
      @Handle(DEVICE) long device, @Out(INT) long defaultLimit) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The limits that can be set. */
  @Call(205)
  default int nvmlDeviceGetPowerManagementLimitConstraints(
      @Handle(DEVICE) long device, @Out(INT) long minLimit, @Out(INT) long maxLimit) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The limit that holds. */
  @Call(206)
  default int nvmlDeviceGetEnforcedPowerLimit(@Handle(DEVICE) long device, @Out(INT) long limit) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The performance state, by its old name. */
  @Call(207)
  default int nvmlDeviceGetPowerState(@Handle(DEVICE) long device, @Out(INT) long state) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Where its power comes from. */
  @Call(208)
  default int nvmlDeviceGetPowerSource(@Handle(DEVICE) long device, @Out(INT) long powerSource) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The performance state. */
  @Call(209)
  default int nvmlDeviceGetPerformanceState(@Handle(DEVICE) long device, @Out(INT) long state) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Those that there are. */
  @Call(210)
  default int nvmlDeviceGetSupportedPerformanceStates(
      @Handle(DEVICE) long device, @Out(bytes = "bytes") long states, int bytes) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** How busy its parts are. */
  @Call(211)
  default int nvmlDeviceGetDynamicPstatesInfo(
      @Handle(DEVICE) long device, @Out(struct = DynamicStates.class) long states) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The performance modes. */
  @Call(212)
  default int nvmlDeviceGetPerformanceModes(
      @Handle(DEVICE) long device, @InOut(struct = PerformanceModes.class) long perfModes) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Why its clocks are as they are, a mask. */
  @Call(213)
  @Variants("nvmlDeviceGetCurrentClocksEventReasons")
  default int nvmlDeviceGetCurrentClocksThrottleReasons(
      @Handle(DEVICE) long device, @Out(LONG) long clocksThrottleReasons) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The reasons that it can tell. */
  @Call(214)
  @Variants("nvmlDeviceGetSupportedClocksEventReasons")
  default int nvmlDeviceGetSupportedClocksThrottleReasons(
      @Handle(DEVICE) long device, @Out(LONG) long supportedClocksThrottleReasons) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** A clock now. */
  @Call(215)
  default int nvmlDeviceGetClockInfo(@Handle(DEVICE) long device, int type, @Out(INT) long clock) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** A clock at most. */
  @Call(216)
  default int nvmlDeviceGetMaxClockInfo(
      @Handle(DEVICE) long device, int type, @Out(INT) long clock) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** A clock: now, as set, or as the product comes. */
  @Call(217)
  default int nvmlDeviceGetClock(
      @Handle(DEVICE) long device, int clockType, int clockId, @Out(INT) long clockMHz) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** A clock as set. */
  @Call(218)
  default int nvmlDeviceGetApplicationsClock(
      @Handle(DEVICE) long device, int clockType, @Out(INT) long clockMHz) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** A clock as the product comes. */
  @Call(219)
  default int nvmlDeviceGetDefaultApplicationsClock(
      @Handle(DEVICE) long device, int clockType, @Out(INT) long clockMHz) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** A clock when it is boosted. */
  @Call(220)
  default int nvmlDeviceGetMaxCustomerBoostClock(
      @Handle(DEVICE) long device, int clockType, @Out(INT) long clockMHz) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The clocks that memory can have. */
  @Call(221)
  @WrittenOn(NvmlResult.INSUFFICIENT_SIZE)
  default int nvmlDeviceGetSupportedMemoryClocks(
      @Handle(DEVICE) long device,
      @InOut(INT) long count,
      @Out(value = INT, count = "count") long clocks) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The clocks that go with one of them. */
  @Call(222)
  @WrittenOn(NvmlResult.INSUFFICIENT_SIZE)
  default int nvmlDeviceGetSupportedGraphicsClocks(
      @Handle(DEVICE) long device,
      int memoryClock,
      @InOut(INT) long count,
      @Out(value = INT, count = "count") long clocks) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Whether clocks are boosted by themselves. */
  @Call(223)
  default int nvmlDeviceGetAutoBoostedClocksEnabled(
      @Handle(DEVICE) long device, @Out(INT) long isEnabled, @Out(INT) long defaultIsEnabled) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** A clock in a performance state. */
  @Call(224)
  default int nvmlDeviceGetMinMaxClockOfPState(
      @Handle(DEVICE) long device,
      int type,
      int pstate,
      @Out(INT) long minClockMHz,
      @Out(INT) long maxClockMHz) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** By how much a clock is moved. */
  @Call(225)
  default int nvmlDeviceGetClockOffsets(
      @Handle(DEVICE) long device, @InOut(struct = ClockOffset.class) long info) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The clocks, as text. */
  @Call(226)
  default int nvmlDeviceGetCurrentClockFreqs(
      @Handle(DEVICE) long device, @InOut(struct = ClockFrequencies.class) long currentClockFreqs) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Whether clocks adapt. */
  @Call(227)
  default int nvmlDeviceGetAdaptiveClockInfoStatus(
      @Handle(DEVICE) long device, @Out(INT) long adaptiveClockStatus) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** By how much the graphics clock is moved. */
  @Call(228)
  default int nvmlDeviceGetGpcClkVfOffset(@Handle(DEVICE) long device, @Out(INT) long offset) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** By how much the memory clock is moved. */
  @Call(229)
  default int nvmlDeviceGetMemClkVfOffset(@Handle(DEVICE) long device, @Out(INT) long offset) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** By how much the graphics clock can be moved. */
  @Call(230)
  default int nvmlDeviceGetGpcClkMinMaxVfOffset(
      @Handle(DEVICE) long device, @Out(INT) long minOffset, @Out(INT) long maxOffset) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** By how much the memory clock can be moved. */
  @Call(231)
  default int nvmlDeviceGetMemClkMinMaxVfOffset(
      @Handle(DEVICE) long device, @Out(INT) long minOffset, @Out(INT) long maxOffset) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** A temperature. */
  @Call(232)
  default int nvmlDeviceGetTemperature(
      @Handle(DEVICE) long device, int sensorType, @Out(INT) long temp) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The same. */
  @Call(233)
  default int nvmlDeviceGetTemperatureV(
      @Handle(DEVICE) long device, @InOut(struct = Temperature.class) long temperature) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The temperature from which something happens. */
  @Call(234)
  default int nvmlDeviceGetTemperatureThreshold(
      @Handle(DEVICE) long device, int thresholdType, @Out(INT) long temp) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** How far it is from being slowed down. */
  @Call(235)
  default int nvmlDeviceGetMarginTemperature(
      @Handle(DEVICE) long device, @InOut(struct = TemperatureMargin.class) long marginTempInfo) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** Its sensors. */
  @Call(236)
  default int nvmlDeviceGetThermalSettings(
      @Handle(DEVICE) long device,
      int sensorIndex,
      @Out(struct = ThermalSettings.class) long settings) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The speed of its fan, in percent. */
  @Call(237)
  default int nvmlDeviceGetFanSpeed(@Handle(DEVICE) long device, @Out(INT) long speed) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The speed of one of its fans, in percent. */
  @Call(238)
  default int nvmlDeviceGetFanSpeed_v2(@Handle(DEVICE) long device, int fan, @Out(INT) long speed) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The speed of one of its fans, in turns a minute. */
  @Call(239)
  default int nvmlDeviceGetFanSpeedRPM(
      @Handle(DEVICE) long device, @InOut(struct = FanSpeed.class) long fanSpeed) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The speed that one of them should have. */
  @Call(240)
  default int nvmlDeviceGetTargetFanSpeed(
      @Handle(DEVICE) long device, int fan, @Out(INT) long targetSpeed) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The speeds that they can have. */
  @Call(241)
  default int nvmlDeviceGetMinMaxFanSpeed(
      @Handle(DEVICE) long device, @Out(INT) long minSpeed, @Out(INT) long maxSpeed) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** The policy that sets them. */
  @Call(242)
  default int nvmlDeviceGetFanControlPolicy_v2(
      @Handle(DEVICE) long device, int fan, @Out(INT) long policy) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** How many there are. */
  @Call(243)
  default int nvmlDeviceGetNumFans(@Handle(DEVICE) long device, @Out(INT) long numFans) {
    return NvmlResult.NOT_SUPPORTED;
  }

  /** A cooler. */
  @Call(244)
  default int nvmlDeviceGetCoolerInfo(
      @Handle(DEVICE) long device, @InOut(struct = Cooler.class) long coolerInfo) {
    return NvmlResult.NOT_SUPPORTED;
  }
}
