// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Size;
import io.outboard.spec.Struct;

/**
 * The modes that there are.
 *
 * @param version size and version
 * @param modes those
 * @param count how many
 */
@Struct(value = "nvmlNvlinkSupportedBwModes_v1_t", sized = true)
public record BandwidthModes(int version, @Size(23) byte[] modes, byte count) {}
