// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * Errors by place, counted.
 *
 * @param l1 first cache
 * @param l2 second cache
 * @param memory device memory
 * @param registers registers
 */
@Struct("nvmlEccErrorCounts_t")
public record EccErrors(long l1, long l2, long memory, long registers) {}
