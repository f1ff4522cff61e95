// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.host;

/** How each value of a texel is stored. */
public enum PtxTexelFormat {
  UNSIGNED8(1),
  UNSIGNED16(2),
  UNSIGNED32(4),
  SIGNED8(1),
  SIGNED16(2),
  SIGNED32(4),
  HALF(2),
  FLOAT(4);

  private final int bytes;

  PtxTexelFormat(int bytes) {
    this.bytes = bytes;
  }

  /** Bytes of a value. */
  public int bytes() {
    return bytes;
  }

  /** Whether values are integers. */
  public boolean integral() {
    return this != HALF && this != FLOAT;
  }
}
