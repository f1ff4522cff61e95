// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * Identity of a device on its platform.
 *
 * @param version size and version
 * @param value the identity
 */
@Struct(value = "nvmlPdi_v1_t", sized = true)
public record PlatformIdentity(int version, long value) {}
