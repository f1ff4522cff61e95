// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * How busy one part of a device is.
 *
 * @param present whether there is such a part
 * @param percent percent
 * @param rising threshold from which clocks rise
 * @param falling threshold from which they fall
 */
@Struct
public record DomainUtilization(int present, int percent, int rising, int falling) {}
