// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

/** The type behind a pointer, where it is no structure. */
public enum Scalar {
  /** Not a scalar. */
  NONE(0),
  /** 8 bits. */
  BYTE(1),
  /** 16 bits. */
  SHORT(2),
  /** 32 bits. */
  INT(4),
  /** 64 bits: also addresses, sizes and handles. */
  LONG(8),
  /** IEEE 754 binary32. */
  FLOAT(4),
  /** IEEE 754 binary64. */
  DOUBLE(8);

  private final int bytes;

  Scalar(int bytes) {
    this.bytes = bytes;
  }

  /** Size in bytes, which is the alignment too. */
  public int bytes() {
    return bytes;
  }
}
