// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.health;

import io.outboard.nvml.NvmlDriver;
import io.outboard.nvml.NvmlResult;
import io.outboard.nvml.struct.Sample;
import io.outboard.wire.Native;

/**
 * For how long a GPU has worked, by the samples that its driver keeps of the last seconds: each is
 * the part of a sampling period in which a kernel ran (NVML, {@code nvmlDeviceGetSamples}, {@code
 * NVML_GPU_UTILIZATION_SAMPLES}).
 */
final class BusyTime {
  /** Samples of one reading; drivers keep some hundred, of some tenths of a second each. */
  private static final int MOST = 512;

  /** The state of one reading. */
  static final int SCRATCH = 2 * Long.BYTES + MOST * Sample.BYTES;

  private static final int GPU_UTILIZATION = 1;

  /** No period is longer (NVML, {@code nvmlUtilization_t}); while nothing samples there is none. */
  private static final long LONGEST_PERIOD_US = 1_000_000;

  private static final long NS_A_PERCENT_OF_US = 10;

  private final NvmlDriver driver;
  private final long device;
  private long sampledUs;
  private long busyNs;

  BusyTime(NvmlDriver driver, long device) {
    this.driver = driver;
    this.device = device;
  }

  /**
   * Takes the samples since the last time.
   *
   * @param scratch room for {@link #SCRATCH} bytes
   * @return whether the driver keeps some
   */
  boolean read(long scratch) {
    long count = scratch + Long.BYTES;
    long samples = count + Long.BYTES;
    Native.putInt(count, MOST);
    int result =
        driver.nvmlDeviceGetSamples(device, GPU_UTILIZATION, sampledUs, scratch, count, samples);
    for (int i = 0; result == NvmlResult.SUCCESS && i < Native.getInt(count); i++) {
      long sample = samples + (long) i * Sample.BYTES;
      take(Native.getLong(sample), Native.getInt(sample + Long.BYTES));
    }
    // There is none since the last one.
    return result == NvmlResult.SUCCESS || result == NvmlResult.NOT_FOUND;
  }

  private void take(long timeUs, int percent) {
    if (sampledUs != 0 && timeUs > sampledUs) {
      busyNs += Math.min(timeUs - sampledUs, LONGEST_PERIOD_US) * percent * NS_A_PERCENT_OF_US;
    }
    sampledUs = Math.max(sampledUs, timeUs);
  }

  /** Nanoseconds, counted from some time before the first reading. */
  long nanoseconds() {
    return busyNs;
  }
}
