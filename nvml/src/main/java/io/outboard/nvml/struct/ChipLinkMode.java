// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * The link between chips of one package.
 *
 * @param enabled whether it is on
 */
@Struct("nvmlC2cModeInfo_v1_t")
public record ChipLinkMode(int enabled) {}
