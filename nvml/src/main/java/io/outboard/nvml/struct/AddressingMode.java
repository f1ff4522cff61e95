// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * How host and device share addresses.
 *
 * @param version size and version
 * @param value the mode
 */
@Struct(value = "nvmlDeviceAddressingMode_v1_t", sized = true)
public record AddressingMode(int version, int value) {}
