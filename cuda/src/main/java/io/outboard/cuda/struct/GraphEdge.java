// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import io.outboard.spec.Size;
import io.outboard.spec.Struct;

/**
 * The data of an edge of a graph besides its ends.
 *
 * @param fromPort which part of the first node
 * @param toPort which part of the second
 * @param type how they depend
 * @param reserved zeros
 */
@Struct("CUgraphEdgeData")
public record GraphEdge(byte fromPort, byte toPort, byte type, @Size(5) byte[] reserved) {
  /** Size of the structure in bytes. */
  public static final int BYTES = 8;
}
