// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * Whether virtual GPUs of different sizes share a device.
 *
 * @param version size and version
 * @param mode whether they may
 */
@Struct(value = "nvmlVgpuHeterogeneousMode_v1_t", sized = true)
public record HeterogeneousMode(int version, int mode) {}
