// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import io.outboard.spec.DevicePointer;
import io.outboard.spec.Struct;

/**
 * A fill.
 *
 * @param destination where
 * @param pitch bytes from row to row
 * @param value the value
 * @param elementBytes its size: 1, 2 or 4
 * @param width values of a row
 * @param height rows
 */
@Struct("CUDA_MEMSET_NODE_PARAMS")
public record MemsetNode(
    @DevicePointer long destination,
    long pitch,
    int value,
    int elementBytes,
    long width,
    long height) {
  /** Size of the structure in bytes. */
  public static final int BYTES = 40;
}
