// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.run;

import io.outboard.ptx.host.PtxAddressing;

/**
 * Which texels along one axis a coordinate means, and with which weights. The fraction of a
 * coordinate is rounded to 8 bits (CUDA C++ Programming Guide, "Linear Filtering"); halves go up,
 * as an H200 rounds them.
 */
final class TexelAxis {
  /** The index of what lies on the border. */
  static final int OUTSIDE = -1;

  /** The sum of both weights. */
  static final int ONE = 256;

  /** Coordinates beyond this are far outside anyhow. */
  private static final double FAR = 0x1p40;

  int low;
  int high;

  /** Weight of {@link #high}, in parts of {@link #ONE}. */
  int weight;

  /** Takes the texel that a coordinate lies in. */
  void nearest(double coordinate, int count, PtxAddressing addressing) {
    at((long) Math.floor(bounded(coordinate)), count, addressing);
  }

  /** Takes the two texels between whose centres a coordinate lies. */
  void between(double coordinate, int count, PtxAddressing addressing) {
    long fixed = (long) Math.floor(bounded(coordinate) * ONE + 0.5) - ONE / 2;
    long first = Math.floorDiv(fixed, ONE);
    low = index(first, count, addressing);
    high = index(first + 1, count, addressing);
    weight = (int) Math.floorMod(fixed, (long) ONE);
  }

  /** Takes a texel by its index. */
  void at(long index, int count, PtxAddressing addressing) {
    low = index(index, count, addressing);
    high = low;
    weight = 0;
  }

  private static double bounded(double coordinate) {
    return Math.max(-FAR, Math.min(FAR, coordinate));
  }

  private static int index(long index, int count, PtxAddressing addressing) {
    if (index >= 0 && index < count) {
      return (int) index;
    }
    return switch (addressing) {
      case WRAP -> (int) Math.floorMod(index, (long) count);
      case CLAMP -> index < 0 ? 0 : count - 1;
      case MIRROR -> mirrored((int) Math.floorMod(index, 2L * count), count);
      case BORDER -> OUTSIDE;
    };
  }

  private static int mirrored(int index, int count) {
    return index < count ? index : 2 * count - 1 - index;
  }
}
