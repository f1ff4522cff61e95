// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Size;
import io.outboard.spec.Struct;

/**
 * A device that the driver leaves alone.
 *
 * @param place where it is
 * @param uuid text, ended by NUL
 */
@Struct("nvmlExcludedDeviceInfo_t")
public record ExcludedDevice(PciInfo place, @Size(80) byte[] uuid) {}
