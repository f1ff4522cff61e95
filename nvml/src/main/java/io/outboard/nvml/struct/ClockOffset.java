// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * By how much a clock is moved, in MHz.
 *
 * @param version size and version
 * @param clock which clock
 * @param state in which performance state
 * @param offset by how much
 * @param minimum at least
 * @param maximum at most
 */
@Struct(value = "nvmlClockOffset_v1_t", sized = true)
public record ClockOffset(
    int version, int clock, int state, int offset, int minimum, int maximum) {}
