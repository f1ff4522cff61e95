// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.host;

/** The extent of a grid or of a block; each component is at least one. */
public record Dim3(int x, int y, int z) {
  /** A one-dimensional extent. */
  public static Dim3 of(int x) {
    return new Dim3(x, 1, 1);
  }

  /** A two-dimensional extent. */
  public static Dim3 of(int x, int y) {
    return new Dim3(x, y, 1);
  }

  /** The number of elements. */
  public long count() {
    return (long) x * y * z;
  }
}
