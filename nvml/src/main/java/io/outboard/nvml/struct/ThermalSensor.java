// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * A sensor.
 *
 * @param controller where it is read
 * @param minimum degrees
 * @param maximum degrees
 * @param current degrees
 * @param target what it measures
 */
@Struct
public record ThermalSensor(int controller, int minimum, int maximum, int current, int target) {}
