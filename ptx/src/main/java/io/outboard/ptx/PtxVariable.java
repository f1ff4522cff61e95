// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx;

import io.outboard.ptx.host.Space;
import io.outboard.ptx.model.Initializer;

/**
 * A variable of module scope that the caller places in device memory.
 *
 * @param name as in the PTX text
 * @param space {@link Space#GLOBAL} or {@link Space#CONST}
 * @param size in bytes
 * @param align in bytes
 * @param managed whether the program is to use it at the same address
 * @param contents what it holds at first, or null for zeros
 */
public record PtxVariable(
    String name, Space space, long size, int align, boolean managed, Initializer contents) {
  /** A copy of the first contents; addresses in it are right after {@link PtxModule#place}. */
  public byte[] initial() {
    return contents == null ? new byte[Math.toIntExact(size)] : contents.toBytes();
  }
}
