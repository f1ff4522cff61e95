// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Size;
import io.outboard.spec.Struct;

/**
 * The bridges on a board.
 *
 * @param count how many there are
 * @param chips those
 */
@Struct("nvmlBridgeChipHierarchy_t")
public record BridgeChips(byte count, @Size(128) BridgeChip[] chips) {}
