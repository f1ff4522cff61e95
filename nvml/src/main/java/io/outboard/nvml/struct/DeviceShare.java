// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * The share of an instance of a partitioned device.
 *
 * @param multiprocessors multiprocessors
 * @param copyEngines copy engines
 * @param decoders decoders
 * @param encoders encoders
 * @param jpegUnits JPEG units
 * @param flowUnits optical flow units
 * @param gpuSlices slices of the device
 * @param computeSlices slices of its multiprocessors
 * @param memoryMib memory in MiB
 */
@Struct("nvmlDeviceAttributes_t")
public record DeviceShare(
    int multiprocessors,
    int copyEngines,
    int decoders,
    int encoders,
    int jpegUnits,
    int flowUnits,
    int gpuSlices,
    int computeSlices,
    long memoryMib) {
  /** Offset of {@link #gpuSlices}. */
  public static final int GPU_SLICES = 24;

  /** Offset of {@link #computeSlices}. */
  public static final int COMPUTE_SLICES = 28;

  /** Offset of {@link #memoryMib}. */
  public static final int MEMORY_MIB = 32;

  /** Size of the structure in bytes. */
  public static final int BYTES = 40;
}
