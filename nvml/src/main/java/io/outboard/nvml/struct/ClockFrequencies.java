// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Size;
import io.outboard.spec.Struct;

/**
 * The clocks, as text.
 *
 * @param version size and version
 * @param text ended by NUL
 */
@Struct(value = "nvmlDeviceCurrentClockFreqs_v1_t", sized = true)
public record ClockFrequencies(int version, @Size(2048) byte[] text) {}
