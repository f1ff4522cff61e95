// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * How long a device was held back, in nanoseconds.
 *
 * @param reference time of the measurement, in microseconds
 * @param violated time held back
 */
@Struct("nvmlViolationTime_t")
public record ViolationTime(long reference, long violated) {}
