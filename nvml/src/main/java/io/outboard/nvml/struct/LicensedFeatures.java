// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Size;
import io.outboard.spec.Struct;

/**
 * The features that want a licence.
 *
 * @param supported whether there are such
 * @param count how many
 * @param features those
 */
@Struct("nvmlGridLicensableFeatures_t")
public record LicensedFeatures(int supported, int count, @Size(3) LicensedFeature[] features) {}
