// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * Repairs that wait for a reset.
 *
 * @param version size and version
 * @param channel of a memory channel
 * @param cluster of a texture processing cluster
 */
@Struct(value = "nvmlRepairStatus_v1_t", sized = true)
public record RepairStatus(int version, int channel, int cluster) {}
