// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Size;
import io.outboard.spec.Struct;

/**
 * The performance modes, as text.
 *
 * @param version size and version
 * @param text ended by NUL
 */
@Struct(value = "nvmlDevicePerfModes_v1_t", sized = true)
public record PerformanceModes(int version, @Size(2048) byte[] text) {}
