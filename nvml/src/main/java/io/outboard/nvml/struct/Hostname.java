// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Size;
import io.outboard.spec.Struct;

/**
 * A name that was given to a device.
 *
 * @param value ended by NUL
 */
@Struct("nvmlHostname_v1_t")
public record Hostname(@Size(64) byte[] value) {}
