// SPDX-License-Identifier: Apache-2.0
package io.outboard.gl.vendor;

/**
 * Bytes of an image in memory, as OpenGL lays it out (OpenGL 4.6, section 8.4.4).
 *
 * @param alignment of rows, in bytes
 * @param rowLength pixels from row to row, 0 for the width
 * @param imageHeight rows from image to image, 0 for the height
 * @param skipPixels before the first one of each row
 * @param skipRows before the first one of each image
 * @param skipImages before the first one
 */
record PixelForm(
    int alignment, int rowLength, int imageHeight, int skipPixels, int skipRows, int skipImages) {
  /** Of one with more bytes than there can be. */
  static final long TOO_MANY = Long.MAX_VALUE;

  private static final int BITMAP = 0x1A00;

  /** Of an image whose form is not known. */
  static final long UNKNOWN = -1;

  /**
   * Bytes from the address that a call is given to the image's end.
   *
   * @return {@link #UNKNOWN} where the format or the type is, {@link #TOO_MANY} where they are more
   *     than can be
   */
  long bytes(int width, int height, int depth, int format, int type) {
    if (width <= 0 || height <= 0 || depth <= 0) {
      return 0;
    }
    long pixelBits = type == BITMAP ? 1 : 8L * pixelBytes(format, type);
    if (pixelBits < 0) {
      return UNKNOWN;
    }
    try {
      return bytes(width, height, depth, pixelBits);
    } catch (ArithmeticException e) {
      return TOO_MANY;
    }
  }

  private long bytes(long width, long height, long depth, long bits) {
    long row = rowBytes(rowLength > 0 ? rowLength : width, bits);
    long image = Math.multiplyExact(row, imageHeight > 0 ? imageHeight : height);
    long last = whole(Math.multiplyExact(Math.addExact(width, skipPixels), bits));
    long rows = Math.multiplyExact(row, Math.addExact(height - 1, skipRows));
    long images = Math.multiplyExact(image, Math.addExact(depth - 1, skipImages));
    return Math.addExact(Math.addExact(images, rows), last);
  }

  /** At most one alignment longer than what OpenGL says, which depends on the type. */
  private long rowBytes(long pixels, long bits) {
    long plain = whole(Math.multiplyExact(pixels, bits));
    return Math.multiplyExact((plain + alignment - 1) / alignment, alignment);
  }

  private static long whole(long bits) {
    return Math.addExact(bits, 7) / 8;
  }

  /** Bytes of a pixel; negative where the format or the type is not known. */
  private static int pixelBytes(int format, int type) {
    int packed =
        switch (type) {
          case 0x8032, 0x8362 -> 1;
          case 0x8363, 0x8364, 0x8033, 0x8365, 0x8034, 0x8366 -> 2;
          case 0x8035, 0x8367, 0x8036, 0x8368, 0x84FA, 0x8C3B, 0x8C3E -> 4;
          case 0x8DAD -> 8;
          default -> 0;
        };
    int components = components(format);
    int bytes = typeBytes(type);
    return packed > 0 ? packed : components < 0 || bytes < 0 ? -1 : components * bytes;
  }

  private static int typeBytes(int type) {
    return switch (type) {
      case 0x1400, 0x1401 -> 1;
      case 0x1402, 0x1403, 0x140B, 0x8D61 -> 2;
      case 0x1404, 0x1405, 0x1406 -> 4;
      default -> -1;
    };
  }

  private static int components(int format) {
    return switch (format) {
      case 0x1900, 0x1901, 0x1902, 0x1903, 0x1904, 0x1905, 0x1906, 0x1909 -> 1;
      case 0x8D94, 0x8D95, 0x8D96, 0x8D97 -> 1;
      case 0x190A, 0x8227, 0x8228, 0x84F9 -> 2;
      case 0x1907, 0x80E0, 0x8D98, 0x8D9A -> 3;
      case 0x1908, 0x80E1, 0x8D99, 0x8D9B -> 4;
      default -> -1;
    };
  }
}
