// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * Further capabilities of a device.
 *
 * @param version size and version
 * @param mask one bit each
 */
@Struct(value = "nvmlDeviceCapabilities_v1_t", sized = true)
public record Capabilities(int version, int mask) {}
