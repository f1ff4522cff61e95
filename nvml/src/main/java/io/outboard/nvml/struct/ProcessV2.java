// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * A process that uses a device.
 *
 * @param process process id
 * @param usedBytes memory that it uses; all ones if that is not known
 * @param gpuInstance instance of a partitioned device; all ones if there is none
 * @param computeInstance compute instance of it
 */
@Struct("nvmlProcessInfo_t")
public record ProcessV2(int process, long usedBytes, int gpuInstance, int computeInstance) {
  /** Offset of {@link #gpuInstance}, which {@link #computeInstance} follows. */
  public static final int INSTANCES = 16;

  /** Both instances of a device that is not partitioned. */
  public static final long NO_INSTANCES = -1;

  /** Size of the structure in bytes. */
  public static final int BYTES = 24;
}
