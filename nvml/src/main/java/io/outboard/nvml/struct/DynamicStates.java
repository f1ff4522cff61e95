// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Size;
import io.outboard.spec.Struct;

/**
 * How busy the parts of a device are.
 *
 * @param flags 0
 * @param domains the parts
 */
@Struct("nvmlGpuDynamicPstatesInfo_t")
public record DynamicStates(int flags, @Size(8) DomainUtilization[] domains) {}
