// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.model;

/** Which way the data behind a pointer goes. */
public enum Direction {
  /** To the library. */
  IN,
  /** From the library. */
  OUT,
  /** Both ways. */
  INOUT;

  /** Whether the call reads the data. */
  public boolean reads() {
    return this != OUT;
  }

  /** Whether the call writes the data. */
  public boolean writes() {
    return this != IN;
  }
}
