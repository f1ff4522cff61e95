// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Size;
import io.outboard.spec.Struct;

/**
 * A feature that wants a licence.
 *
 * @param code which one
 * @param state whether it is licensed
 * @param license text, ended by NUL
 * @param product text, ended by NUL
 * @param enabled whether it is on
 * @param expiry until when
 */
@Struct("nvmlGridLicensableFeature_t")
public record LicensedFeature(
    int code,
    int state,
    @Size(128) byte[] license,
    @Size(128) byte[] product,
    int enabled,
    LicenseExpiry expiry) {}
