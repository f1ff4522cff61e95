// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Size;
import io.outboard.spec.Struct;

/**
 * A device in a fabric of several hosts; version 2 ends before the summary.
 *
 * @param version size and version
 * @param cluster identity of the cluster
 * @param status result of the registration
 * @param clique clique in the cluster
 * @param state 0: there is no fabric
 * @param health a mask
 * @param summary health in one figure
 */
@Struct(value = "nvmlGpuFabricInfo_v3_t", sized = true)
public record FabricInfoV(
    int version,
    @Size(16) byte[] cluster,
    int status,
    int clique,
    int state,
    int health,
    byte summary) {}
