// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import io.outboard.spec.Size;
import io.outboard.spec.Struct;

/**
 * The properties of a pool that is made.
 *
 * @param type 1: pinned
 * @param handleTypes how it can be shared with other processes
 * @param location where its memory lies
 * @param security 0
 * @param maxBytes most bytes; 0 for no limit
 * @param usage hints
 * @param reserved zeros
 */
@Struct("CUmemPoolProps")
public record PoolProperties(
    int type,
    int handleTypes,
    MemoryLocation location,
    long security,
    long maxBytes,
    short usage,
    @Size(54) byte[] reserved) {
  /** Offset of {@link #handleTypes}. */
  public static final int HANDLE_TYPES = 4;

  /** Offset of {@link #location}. */
  public static final int LOCATION = 8;

  /** Offset of {@link #maxBytes}. */
  public static final int MAX_BYTES = 24;
}
