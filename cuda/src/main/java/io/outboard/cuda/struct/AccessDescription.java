// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import io.outboard.spec.Struct;

/**
 * A place from which memory may be used, and how.
 *
 * @param location who
 * @param flags 1: reads, 3: reads and writes
 */
@Struct("CUmemAccessDesc")
public record AccessDescription(MemoryLocation location, int flags) {
  /** Size of the structure in bytes. */
  public static final int BYTES = 12;
}
