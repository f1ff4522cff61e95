// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import static io.outboard.cuda.CudaKinds.CONTEXT;
import static io.outboard.cuda.CudaKinds.FUNCTION;
import static io.outboard.cuda.CudaKinds.KERNEL;

import io.outboard.spec.Handle;
import io.outboard.spec.Struct;

/**
 * A launch in a graph; Outboard's own form of {@code CUDA_KERNEL_NODE_PARAMS}.
 *
 * @param function what is launched
 * @param gridX blocks of the grid
 * @param gridY blocks of the grid
 * @param gridZ blocks of the grid
 * @param blockX threads of a block
 * @param blockY threads of a block
 * @param blockZ threads of a block
 * @param sharedBytes dynamic shared memory of a block
 * @param parameterBytes size of the packed parameters
 * @param context where a kernel runs; 0 is the current context
 */
@Struct("ob_kernel_node")
public record KernelNode(
    @Handle({FUNCTION, KERNEL}) long function,
    int gridX,
    int gridY,
    int gridZ,
    int blockX,
    int blockY,
    int blockZ,
    int sharedBytes,
    int parameterBytes,
    @Handle(CONTEXT) long context) {
  /** Offset of {@link #gridX}; the shape is as in a launch configuration. */
  public static final int SHAPE = 8;

  /** Offset of {@link #parameterBytes}. */
  public static final int PARAMETER_BYTES = 36;

  /** Offset of {@link #context}. */
  public static final int CONTEXT_VALUE = 40;

  /** Size of the structure in bytes. */
  public static final int BYTES = 48;
}
