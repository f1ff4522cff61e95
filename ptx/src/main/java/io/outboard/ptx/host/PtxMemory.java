// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.host;

import java.lang.foreign.MemorySegment;

/**
 * Memory that kernels reach: address {@code a} lies at offset {@code a - base}.
 *
 * @param bytes the memory, whose alignment is at least 16 bytes
 * @param base the device address of the first byte, a multiple of 16
 */
public record PtxMemory(MemorySegment bytes, long base) {
  /** Memory that holds no address. */
  public static final PtxMemory NONE = new PtxMemory(MemorySegment.NULL, 0);
}
