// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.copy;

import io.outboard.cuda.struct.Memcpy3D;
import io.outboard.ptx.host.PtxImage;

/**
 * A box of an array.
 *
 * @param array the handle
 * @param x bytes to skip in a row
 * @param y rows to skip
 * @param z slices or layers to skip
 * @param width bytes of a row
 * @param height rows
 * @param depth slices or layers
 */
public record ArrayBox(long array, long x, long y, long z, long width, long height, long depth) {
  /** Whether it lies in the array. */
  boolean isIn(PtxImage image) {
    return within(x, width, (long) image.width() * image.texelBytes())
        && within(y, height, image.height())
        && within(z, depth, image.slices());
  }

  private static boolean within(long first, long count, long all) {
    return first >= 0 && count > 0 && first <= all && count <= all - first;
  }

  /** Whether it has so many bytes. */
  boolean has(long bytes) {
    return Memcpy3D.holds(bytes, width, height, depth);
  }

  /** From the array's first byte to the box's. */
  long offset(PtxImage image) {
    return z * image.slice() + y * image.pitch() + x;
  }
}
