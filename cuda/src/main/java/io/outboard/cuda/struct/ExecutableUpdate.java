// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import static io.outboard.cuda.CudaKinds.NODE;

import io.outboard.spec.Handle;
import io.outboard.spec.Struct;

/**
 * The result of an update.
 *
 * @param result {@code CUgraphExecUpdateResult}
 * @param errorNode the node that does not fit, or null
 * @param errorFromNode the edge to it that does not fit, or null
 */
@Struct("CUgraphExecUpdateResultInfo")
public record ExecutableUpdate(
    int result, @Handle(NODE) long errorNode, @Handle(NODE) long errorFromNode) {
  /** Offset of {@link #errorNode}. */
  public static final int ERROR_NODE = 8;

  /** Offset of {@link #errorFromNode}. */
  public static final int ERROR_FROM_NODE = 16;
}
