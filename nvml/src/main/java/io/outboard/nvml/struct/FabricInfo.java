// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Size;
import io.outboard.spec.Struct;

/**
 * A device in a fabric of several hosts.
 *
 * @param cluster identity of the cluster
 * @param status result of the registration
 * @param clique clique in the cluster
 * @param state 0: there is no fabric
 */
@Struct("nvmlGpuFabricInfo_t")
public record FabricInfo(@Size(16) byte[] cluster, int status, int clique, int state) {}
