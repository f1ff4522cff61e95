// SPDX-License-Identifier: Apache-2.0
/**
 * Rules that say what verified claims give: tenant, role, user and FQAN. The first rule that fits
 * decides; where none fits, nothing is granted.
 */
package io.outboard.identity.rule;
