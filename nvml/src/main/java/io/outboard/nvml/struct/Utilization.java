// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * How busy a device was during the last sampling period, in percent.
 *
 * @param gpu time in which kernels ran
 * @param memory time in which memory was read or written
 */
@Struct("nvmlUtilization_t")
public record Utilization(int gpu, int memory) {}
