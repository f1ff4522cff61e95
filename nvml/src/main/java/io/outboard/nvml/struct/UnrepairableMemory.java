// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * Memory that cannot be repaired.
 *
 * @param unrepairable whether there is some
 */
@Struct("nvmlUnrepairableMemoryStatus_v1_t")
public record UnrepairableMemory(int unrepairable) {}
