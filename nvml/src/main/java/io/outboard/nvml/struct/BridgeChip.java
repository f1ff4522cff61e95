// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * A bridge on a board.
 *
 * @param type type
 * @param firmware version of its firmware
 */
@Struct("nvmlBridgeChipInfo_t")
public record BridgeChip(int type, int firmware) {}
