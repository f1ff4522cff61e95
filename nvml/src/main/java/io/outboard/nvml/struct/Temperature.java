// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * A temperature.
 *
 * @param version size and version
 * @param sensor which sensor; 0: the GPU
 * @param celsius degrees
 */
@Struct(value = "nvmlTemperature_v1_t", sized = true)
public record Temperature(int version, int sensor, int celsius) {}
