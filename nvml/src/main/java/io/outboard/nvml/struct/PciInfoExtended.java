// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Size;
import io.outboard.spec.Struct;

/**
 * Where a device is on its bus, and its class.
 *
 * @param version size and version
 * @param domain domain
 * @param bus bus
 * @param device device
 * @param identity device identity in the upper half, vendor in the lower
 * @param subsystem the same of the subsystem
 * @param baseClass class
 * @param subClass class within it
 * @param address address, ended by NUL
 */
@Struct(value = "nvmlPciInfoExt_v1_t", sized = true)
public record PciInfoExtended(
    int version,
    int domain,
    int bus,
    int device,
    int identity,
    int subsystem,
    int baseClass,
    int subClass,
    @Size(32) byte[] address) {}
