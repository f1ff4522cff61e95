// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * When a licence ends.
 *
 * @param year year
 * @param month month
 * @param day day
 * @param hour hour
 * @param minute minute
 * @param second second
 * @param status whether it ends at all
 */
@Struct("nvmlGridLicenseExpiry_t")
public record LicenseExpiry(
    int year, short month, short day, short hour, short minute, short second, byte status) {}
