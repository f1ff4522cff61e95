// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.health;

import io.outboard.nvml.NvmlDriver;
import io.outboard.nvml.NvmlResult;
import io.outboard.wire.Native;
import java.util.EnumMap;
import java.util.Map;

/** Asks a management library for the figures of devices; one that it does not say is left out. */
final class DeviceState {
  /** {@code NVML_TEMPERATURE_GPU}. */
  private static final int OF_THE_GPU = 0;

  // Of nvmlMemory_t: total, free, used.
  private static final long USED = 2L * Long.BYTES;

  private final NvmlDriver driver;

  DeviceState(NvmlDriver driver) {
    this.driver = driver;
  }

  /**
   * The figures of a device.
   *
   * @param scratch room for three longs
   */
  Map<DeviceFigure, Long> of(long device, long scratch) {
    Map<DeviceFigure, Long> figures = new EnumMap<>(DeviceFigure.class);
    if (isSaid(driver.nvmlDeviceGetUtilizationRates(device, scratch))) {
      figures.put(DeviceFigure.UTILIZATION, unsigned(scratch));
    }
    if (isSaid(driver.nvmlDeviceGetMemoryInfo(device, scratch))) {
      figures.put(DeviceFigure.MEMORY_TOTAL, Native.getLong(scratch));
      figures.put(DeviceFigure.MEMORY_USED, Native.getLong(scratch + USED));
    }
    if (isSaid(driver.nvmlDeviceGetTemperature(device, OF_THE_GPU, scratch))) {
      figures.put(DeviceFigure.TEMPERATURE, unsigned(scratch));
    }
    if (isSaid(driver.nvmlDeviceGetPowerUsage(device, scratch))) {
      figures.put(DeviceFigure.POWER, unsigned(scratch));
    }
    return figures;
  }

  private static boolean isSaid(int result) {
    return result == NvmlResult.SUCCESS;
  }

  private static long unsigned(long address) {
    return Integer.toUnsignedLong(Native.getInt(address));
  }
}
