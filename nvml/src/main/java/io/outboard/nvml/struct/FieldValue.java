// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * One of many figures, asked for by number.
 *
 * @param field the number
 * @param scope which one, where there are several
 * @param time time in microseconds
 * @param latency what asking took, in microseconds
 * @param type which type the value has
 * @param result whether there is a value
 * @param value the value, of that type
 */
@Struct("nvmlFieldValue_t")
public record FieldValue(
    int field, int scope, long time, long latency, int type, int result, long value) {}
