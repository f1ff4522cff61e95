// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Size;
import io.outboard.spec.Struct;

/**
 * The sensors of a device.
 *
 * @param count how many there are
 * @param sensors those
 */
@Struct("nvmlGpuThermalSettings_t")
public record ThermalSettings(int count, @Size(3) ThermalSensor[] sensors) {}
