// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Size;
import io.outboard.spec.Struct;

/**
 * A process's use of a device.
 *
 * @param gpu percent
 * @param memory percent
 * @param maxBytes most memory
 * @param duration milliseconds
 * @param start microseconds
 * @param running whether it runs
 * @param reserved zeros
 */
@Struct("nvmlAccountingStats_t")
public record AccountingStatistics(
    int gpu,
    int memory,
    long maxBytes,
    long duration,
    long start,
    int running,
    @Size(5) int[] reserved) {}
