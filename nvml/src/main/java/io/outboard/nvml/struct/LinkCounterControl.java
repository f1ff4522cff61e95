// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * The unit and the packets that a counter of a link counts.
 *
 * @param units unit
 * @param packets a mask of packet types
 */
@Struct("nvmlNvLinkUtilizationControl_t")
public record LinkCounterControl(int units, int packets) {}
