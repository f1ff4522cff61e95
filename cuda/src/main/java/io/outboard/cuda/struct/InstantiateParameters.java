// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import static io.outboard.cuda.CudaKinds.NODE;
import static io.outboard.cuda.CudaKinds.STREAM;

import io.outboard.spec.Handle;
import io.outboard.spec.Struct;

/**
 * How a graph is made executable.
 *
 * @param flags {@code CUgraphInstantiate_flags}
 * @param stream where it is uploaded
 * @param errorNode the node that was wrong; written
 * @param result what was wrong; written
 */
@Struct("CUDA_GRAPH_INSTANTIATE_PARAMS")
public record InstantiateParameters(
    long flags, @Handle(STREAM) long stream, @Handle(NODE) long errorNode, int result) {
  /** Offset of {@link #errorNode}. */
  public static final int ERROR_NODE = 16;

  /** Offset of {@link #result}. */
  public static final int RESULT = 24;
}
