// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import io.outboard.spec.Size;
import io.outboard.spec.Struct;

/**
 * The properties of memory that is made.
 *
 * @param type 1: pinned
 * @param handleTypes how it can be shared with other processes
 * @param location where it lies
 * @param security 0
 * @param flags compression, access of other PCI devices, usage
 */
@Struct("CUmemAllocationProp")
public record AllocationProperties(
    int type, int handleTypes, MemoryLocation location, long security, @Size(8) byte[] flags) {
  /** Offset of {@link #handleTypes}. */
  public static final int HANDLE_TYPES = 4;

  /** Offset of {@link #location}. */
  public static final int LOCATION = 8;

  /** Size of the structure in bytes. */
  public static final int BYTES = 32;
}
