// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * Banks of memory by how many spare rows they have left.
 *
 * @param max all
 * @param high most
 * @param partial some
 * @param low few
 * @param none none
 */
@Struct("nvmlRowRemapperHistogramValues_t")
public record RowHistogram(int max, int high, int partial, int low, int none) {}
