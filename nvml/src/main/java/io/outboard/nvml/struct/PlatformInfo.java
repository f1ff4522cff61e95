// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Size;
import io.outboard.spec.Struct;

/**
 * Where a device is in its rack.
 *
 * @param version size and version
 * @param guid identity on the fabric
 * @param chassis serial number of the chassis
 * @param slot slot
 * @param tray tray
 * @param host host
 * @param peerType how peers are connected
 * @param module module
 */
@Struct(value = "nvmlPlatformInfo_v2_t", sized = true)
public record PlatformInfo(
    int version,
    @Size(16) byte[] guid,
    @Size(16) byte[] chassis,
    byte slot,
    byte tray,
    byte host,
    byte peerType,
    byte module) {}
