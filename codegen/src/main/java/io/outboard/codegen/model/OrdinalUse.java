// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.model;

/**
 * The description of a member that is the number of a device.
 *
 * @param tag the member that says whether it is one, or empty
 * @param is the value of that member which says so
 */
public record OrdinalUse(String tag, int is) {}
