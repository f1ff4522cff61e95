// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.quota;

/** How much memory an array takes; CUDA Driver API, "cuArray3DCreate". */
final class ArrayBytes {
  private static final int LARGEST_VALUE = 4;
  private static final int CUBE_FACES = 6;

  // CUDA_ARRAY3D_…
  private static final int LAYERED = 0x01;
  private static final int CUBE = 0x04;

  private ArrayBytes() {}

  /** That of one level, without what a device adds for rows and tiles. */
  static long of(long width, long height, long depth, int format, int channels) {
    long elements = Math.max(width, 1) * Math.max(height, 1) * Math.max(depth, 1);
    return elements * valueBytes(format) * Math.max(channels, 1);
  }

  /** That of several levels, each half as large as the one before in each direction. */
  static long of(
      long width, long height, long depth, int format, int channels, int flags, int levels) {
    boolean layered = (flags & (LAYERED | CUBE)) != 0;
    long layers = (flags & CUBE) != 0 ? Math.max(depth, CUBE_FACES) : depth;
    long sum = 0;
    for (int level = 0; level < Math.max(levels, 1); level++) {
      long deep = layered ? layers : depth >> level;
      sum += of(width >> level, height >> level, deep, format, channels);
    }
    return sum;
  }

  /** CUarray_format; one that is not known here counts as the largest. */
  private static int valueBytes(int format) {
    return switch (format) {
      case 0x01, 0x08 -> 1;
      case 0x02, 0x09, 0x10 -> 2;
      default -> LARGEST_VALUE;
    };
  }
}
