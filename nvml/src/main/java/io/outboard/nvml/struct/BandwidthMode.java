// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * How much of its links a device uses.
 *
 * @param version size and version
 * @param best whether it is the best mode
 * @param mode the mode
 */
@Struct(value = "nvmlNvlinkGetBwMode_v1_t", sized = true)
public record BandwidthMode(int version, int best, byte mode) {}
