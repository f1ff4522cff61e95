// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import io.outboard.spec.Struct;

/**
 * A structure of scalars.
 *
 * @param x abscissa
 * @param y ordinate
 * @param tag any number
 */
@Struct
public record ToyPoint(double x, double y, int tag) {}
