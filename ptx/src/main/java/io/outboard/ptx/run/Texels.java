// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.run;

import static io.outboard.ptx.host.PtxTexelFormat.SIGNED16;
import static io.outboard.ptx.host.PtxTexelFormat.SIGNED8;

import io.outboard.ptx.host.PtxImage;
import io.outboard.ptx.math.HalfMath;

/** The values of texels. */
final class Texels {
  private Texels() {}

  /** The address of a texel's value. */
  static long address(PtxImage image, int channel, int x, int y, int depth) {
    return image.address()
        + depth * image.slice()
        + y * image.pitch()
        + (long) x * image.texelBytes()
        + (long) channel * image.format().bytes();
  }

  /** The bits of a value, extended to 32 as its type says. */
  static int bits(BlockContext context, PtxImage image, long address) {
    return switch (image.format()) {
      case UNSIGNED8 -> GlobalMemory.load8(context, address) & 0xff;
      case SIGNED8 -> GlobalMemory.load8(context, address);
      case UNSIGNED16, HALF -> GlobalMemory.load16(context, address) & 0xffff;
      case SIGNED16 -> GlobalMemory.load16(context, address);
      case UNSIGNED32, SIGNED32, FLOAT -> GlobalMemory.load32(context, address);
    };
  }

  /**
   * A value as a number; an integer is a fraction of the largest one. The least integer is less
   * than −1 here and counts so among others, as on an H200: the result is {@link #bounded}.
   */
  static float number(BlockContext context, PtxImage image, long address) {
    int bits = bits(context, image, address);
    return switch (image.format()) {
      case UNSIGNED8 -> bits / 255f;
      case SIGNED8 -> bits / 127f;
      case UNSIGNED16 -> bits / 65_535f;
      case SIGNED16 -> bits / 32_767f;
      case HALF -> HalfMath.fromHalf(bits);
      case UNSIGNED32, SIGNED32, FLOAT -> Float.intBitsToFloat(bits);
    };
  }

  /** The value that a number has once it is stored in a texel, as the border is on an H200. */
  static float stored(PtxImage image, float number) {
    return switch (image.format()) {
      case UNSIGNED8 -> Math.round(Math.clamp(number, 0f, 1f) * 255) / 255f;
      case UNSIGNED16 -> Math.round(Math.clamp(number, 0f, 1f) * 65_535) / 65_535f;
      case SIGNED8 -> Math.round(Math.clamp(number, -1f, 1f) * 127) / 127f;
      case SIGNED16 -> Math.round(Math.clamp(number, -1f, 1f) * 32_767) / 32_767f;
      case UNSIGNED32, SIGNED32, HALF, FLOAT -> number;
    };
  }

  /** The bits of a number that was read. */
  static int bounded(PtxImage image, float number) {
    boolean fraction = image.format() == SIGNED8 || image.format() == SIGNED16;
    return Float.floatToRawIntBits(fraction ? Math.max(number, -1) : number);
  }
}
