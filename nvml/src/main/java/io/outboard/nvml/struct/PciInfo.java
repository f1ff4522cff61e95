// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Size;
import io.outboard.spec.Struct;

/**
 * Where a device is on its bus.
 *
 * @param legacyAddress address with a domain of four digits, ended by NUL
 * @param domain domain
 * @param bus bus
 * @param device device
 * @param identity device identity in the upper half, vendor in the lower
 * @param subsystem the same of the subsystem
 * @param address address with a domain of eight digits, ended by NUL
 */
@Struct("nvmlPciInfo_t")
public record PciInfo(
    @Size(16) byte[] legacyAddress,
    int domain,
    int bus,
    int device,
    int identity,
    int subsystem,
    @Size(32) byte[] address) {
  /** Offset of {@link #domain}. */
  public static final int DOMAIN = 16;

  /** Offset of {@link #bus}. */
  public static final int BUS = 20;

  /** Offset of {@link #address}. */
  public static final int ADDRESS = 36;

  /** Size of the structure in bytes. */
  public static final int BYTES = 68;
}
