// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * How far a device is from being slowed down.
 *
 * @param version size and version
 * @param celsius degrees
 */
@Struct(value = "nvmlMarginTemperature_v1_t", sized = true)
public record TemperatureMargin(int version, int celsius) {}
