// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import io.outboard.spec.DevicePointer;
import io.outboard.spec.Struct;

/**
 * An allocation in a graph.
 *
 * @param properties where it lies
 * @param access 0: access descriptions are not carried
 * @param accessCount 0
 * @param bytes size
 * @param pointer the address; written
 */
@Struct("CUDA_MEM_ALLOC_NODE_PARAMS")
public record AllocationNode(
    PoolProperties properties,
    long access,
    long accessCount,
    long bytes,
    @DevicePointer long pointer) {
  /** Offset of {@link #access}. */
  public static final int ACCESS = 88;

  /** Offset of {@link #accessCount}. */
  public static final int ACCESS_COUNT = 96;

  /** Offset of {@link #bytes}, which the size in bytes of the structure follows from. */
  public static final int BYTES_ASKED = 104;

  /** Offset of {@link #pointer}. */
  public static final int POINTER = 112;

  /** Size of the structure in bytes. */
  public static final int BYTES = 120;
}
