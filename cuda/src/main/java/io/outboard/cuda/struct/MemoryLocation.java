// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import io.outboard.spec.Ordinal;
import io.outboard.spec.Struct;

/**
 * Where memory lies.
 *
 * @param type 1: a device
 * @param id its ordinal
 */
@Struct("CUmemLocation")
public record MemoryLocation(int type, @Ordinal(tag = "type", is = 1) int id) {}
