// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * Errors of static memory, counted.
 *
 * @param version size and version
 * @param totalParity uncorrectable by parity, in all
 * @param totalSecDed uncorrectable by code, in all
 * @param totalCorrected corrected, in all
 * @param parity uncorrectable by parity, since the driver was loaded
 * @param secDed uncorrectable by code, since then
 * @param corrected corrected, since then
 * @param l2 uncorrectable in the second cache
 * @param multiprocessor in multiprocessors
 * @param pcie in the bus interface
 * @param microcontroller in microcontrollers
 * @param other elsewhere
 * @param exceeded whether a threshold is exceeded
 */
@Struct(value = "nvmlEccSramErrorStatus_v1_t", sized = true)
public record SramErrors(
    int version,
    long totalParity,
    long totalSecDed,
    long totalCorrected,
    long parity,
    long secDed,
    long corrected,
    long l2,
    long multiprocessor,
    long pcie,
    long microcontroller,
    long other,
    int exceeded) {}
