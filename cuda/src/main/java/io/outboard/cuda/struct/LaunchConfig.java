// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import static io.outboard.cuda.CudaKinds.STREAM;

import io.outboard.spec.Handle;
import io.outboard.spec.In;
import io.outboard.spec.Struct;

/**
 * How a kernel is launched.
 *
 * @param gridX blocks of the grid
 * @param gridY blocks of the grid
 * @param gridZ blocks of the grid
 * @param blockX threads of a block
 * @param blockY threads of a block
 * @param blockZ threads of a block
 * @param sharedBytes dynamic shared memory of a block
 * @param stream the stream
 * @param attributes what else there is to say
 * @param attributeCount number of attributes
 */
@Struct("CUlaunchConfig")
public record LaunchConfig(
    int gridX,
    int gridY,
    int gridZ,
    int blockX,
    int blockY,
    int blockZ,
    int sharedBytes,
    @Handle(STREAM) long stream,
    @In(struct = LaunchAttribute.class, count = "attributeCount") long attributes,
    int attributeCount) {
  /** Offset of {@link #sharedBytes}. */
  public static final int SHARED_BYTES = 24;

  /** Offset of {@link #stream}. */
  public static final int STREAM_VALUE = 32;

  /** Offset of {@link #attributes}. */
  public static final int ATTRIBUTES = 40;

  /** Offset of {@link #attributeCount}. */
  public static final int ATTRIBUTE_COUNT = 48;
}
