// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * A process that uses a device.
 *
 * @param process process id
 * @param usedBytes memory that it uses; all ones if that is not known
 */
@Struct("nvmlProcessInfo_v1_t")
public record ProcessV1(int process, long usedBytes) {
  /** Offset of {@link #usedBytes}. */
  public static final int USED = 8;

  /** Size of the structure in bytes. */
  public static final int BYTES = 16;
}
