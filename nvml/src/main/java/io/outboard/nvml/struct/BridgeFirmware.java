// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Size;
import io.outboard.spec.Struct;

/**
 * Firmware of a host interface card.
 *
 * @param identity which card
 * @param version text, ended by NUL
 */
@Struct("nvmlHwbcEntry_t")
public record BridgeFirmware(int identity, @Size(32) byte[] version) {}
