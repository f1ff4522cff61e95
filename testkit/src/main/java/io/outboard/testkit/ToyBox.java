// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import io.outboard.spec.Size;
import io.outboard.spec.Struct;

/**
 * Nested structures and arrays.
 *
 * @param color any number
 * @param low one corner
 * @param corners the others
 * @param name a text
 * @param weights some figures
 */
@Struct("toy_box")
public record ToyBox(
    byte color,
    ToyPoint low,
    @Size(3) ToyPoint[] corners,
    @Size(5) byte[] name,
    @Size(2) float[] weights) {}
