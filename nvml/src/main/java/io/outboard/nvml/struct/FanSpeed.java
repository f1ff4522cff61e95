// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * Speed of a fan.
 *
 * @param version size and version
 * @param fan which one
 * @param rpm turns a minute
 */
@Struct(value = "nvmlFanSpeedInfo_v1_t", sized = true)
public record FanSpeed(int version, int fan, int rpm) {}
