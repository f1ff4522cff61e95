// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * A cooler.
 *
 * @param version size and version
 * @param index which one
 * @param control how it is controlled
 * @param target what it cools
 */
@Struct(value = "nvmlCoolerInfo_v1_t", sized = true)
public record Cooler(int version, int index, int control, int target) {}
