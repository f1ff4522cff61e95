// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * Rows of memory that others stand in for.
 *
 * @param correctable because of correctable errors
 * @param correctableInactive the same, not yet active
 * @param uncorrectable because of uncorrectable errors
 * @param uncorrectableInactive the same, not yet active
 * @param pending whether a reset is needed
 * @param failed whether remapping has failed
 */
@Struct("nvmlRemappedRowsInfo_v2_t")
public record RemappedRows(
    int correctable,
    int correctableInactive,
    int uncorrectable,
    int uncorrectableInactive,
    int pending,
    int failed) {}
