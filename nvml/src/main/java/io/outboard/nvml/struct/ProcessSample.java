// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * How much of a device a process used.
 *
 * @param process process id
 * @param time time in microseconds
 * @param multiprocessors percent
 * @param memory percent
 * @param encoder percent
 * @param decoder percent
 */
@Struct("nvmlProcessUtilizationSample_t")
public record ProcessSample(
    int process, long time, int multiprocessors, int memory, int encoder, int decoder) {}
