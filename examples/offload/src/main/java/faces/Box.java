// SPDX-License-Identifier: Apache-2.0
package faces;

/**
 * A square with a face.
 *
 * @param x of its left edge, in pixels
 * @param y of its upper edge
 * @param side its length
 * @param sureness the least contrast of what makes a face, in standard deviations of its pixels
 */
public record Box(int x, int y, int side, double sureness) {
  /** How much of both together is in both, from 0 to 1. */
  public double overlap(Box other) {
    long wide = Math.min(x + side, other.x + other.side) - Math.max(x, other.x);
    long high = Math.min(y + side, other.y + other.side) - Math.max(y, other.y);
    double common = Math.max(0, wide) * Math.max(0, high);
    return common / ((double) side * side + (double) other.side * other.side - common);
  }
}
