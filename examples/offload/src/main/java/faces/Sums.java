// SPDX-License-Identifier: Apache-2.0
package faces;

/** Sums over rectangles of a picture, each by four look-ups. */
final class Sums {
  private static final int BYTE = 0xff;

  private final int width;
  private final long[] sums;
  private final long[] squares;

  Sums(int width, int height, byte[] grey) {
    this.width = width + 1;
    sums = new long[this.width * (height + 1)];
    squares = new long[sums.length];
    for (int y = 1; y <= height; y++) {
      long row = 0;
      long rowSquares = 0;
      for (int x = 1; x <= width; x++) {
        long pixel = grey[(y - 1) * width + x - 1] & BYTE;
        row += pixel;
        rowSquares += pixel * pixel;
        int at = y * this.width + x;
        sums[at] = sums[at - this.width] + row;
        squares[at] = squares[at - this.width] + rowSquares;
      }
    }
  }

  /** The mean of a part of a square; its place and size are parts of the square's side. */
  double mean(int x, int y, int side, double left, double top, double right, double bottom) {
    int fromX = x + (int) (left * side);
    int fromY = y + (int) (top * side);
    int toX = Math.max(fromX + 1, x + (int) (right * side));
    int toY = Math.max(fromY + 1, y + (int) (bottom * side));
    return of(sums, fromX, fromY, toX, toY) / ((double) (toX - fromX) * (toY - fromY));
  }

  /** The standard deviation of a square's pixels. */
  double deviation(int x, int y, int side) {
    double count = (double) side * side;
    double mean = of(sums, x, y, x + side, y + side) / count;
    return Math.sqrt(
        Math.max(0, of(squares, x, y, x + side, y + side) / count - mean * mean));
  }

  private long of(long[] all, int fromX, int fromY, int toX, int toY) {
    return all[toY * width + toX]
        - all[fromY * width + toX]
        - all[toY * width + fromX]
        + all[fromY * width + fromX];
  }
}
