// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import static io.outboard.cuda.CudaKinds.CONTEXT;

import io.outboard.spec.Handle;
import io.outboard.spec.In;
import io.outboard.spec.Struct;

/**
 * Waits and writes in a graph.
 *
 * @param context where
 * @param count number of operations
 * @param operations the operations
 * @param flags 0
 */
@Struct("CUDA_BATCH_MEM_OP_NODE_PARAMS")
public record BatchNode(
    @Handle(CONTEXT) long context,
    int count,
    @In(struct = BatchOperation.class, count = "count") long operations,
    int flags) {
  /** Offset of {@link #count}. */
  public static final int COUNT = 8;

  /** Offset of {@link #operations}. */
  public static final int OPERATIONS = 16;

  /** Offset of {@link #flags}. */
  public static final int FLAGS = 24;
}
