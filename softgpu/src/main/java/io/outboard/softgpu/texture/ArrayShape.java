// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.texture;

import io.outboard.cuda.CudaResult;
import io.outboard.ptx.host.PtxImage;
import io.outboard.ptx.host.PtxTexelFormat;
import io.outboard.softgpu.profile.DeviceProfile;
import io.outboard.wire.Native;

/**
 * The shape that an array is made with ({@code CUDA_ARRAY3D_DESCRIPTOR}).
 *
 * @param width texels of a row
 * @param height rows; 0 in one dimension
 * @param depth slices, or layers; 0 where there are none
 * @param format {@code CUarray_format}
 * @param channels values of a texel
 * @param flags {@code CUDA_ARRAY3D_…}
 */
public record ArrayShape(long width, long height, long depth, int format, int channels, int flags) {
  private static final int LAYERED = 0x01;
  private static final int SURFACE = 0x02;
  private static final int GATHER = 0x08;

  /** Cube maps, depth textures and render targets, sparse and deferred mapping, video. */
  private static final int UNSUPPORTED = 0x04 | 0x10 | 0x20 | 0x40 | 0x80 | 0x100;

  /** Rows begin at multiples of this, so that any vector of a row is aligned. */
  private static final long ROW = 64;

  /** The shape in a {@code CUDA_ARRAY_DESCRIPTOR}. */
  public static ArrayShape flat(long description) {
    return new ArrayShape(
        Native.getLong(description),
        Native.getLong(description + 8),
        0,
        Native.getInt(description + 16),
        Native.getInt(description + 20),
        0);
  }

  /** The shape in a {@code CUDA_ARRAY3D_DESCRIPTOR}. */
  public static ArrayShape of(long description) {
    return new ArrayShape(
        Native.getLong(description),
        Native.getLong(description + 8),
        Native.getLong(description + 16),
        Native.getInt(description + 24),
        Native.getInt(description + 28),
        Native.getInt(description + 32));
  }

  public void writeFlat(long description) {
    Native.putLong(description, width);
    Native.putLong(description + 8, height);
    Native.putInt(description + 16, format);
    Native.putInt(description + 20, channels);
  }

  public void write(long description) {
    Native.putLong(description, width);
    Native.putLong(description + 8, height);
    Native.putLong(description + 16, depth);
    Native.putInt(description + 24, format);
    Native.putInt(description + 28, channels);
    Native.putInt(description + 32, flags);
  }

  /** The format of this number ({@code CUarray_format}), or null. */
  static PtxTexelFormat texelFormat(int number) {
    return switch (number) {
      case 0x01 -> PtxTexelFormat.UNSIGNED8;
      case 0x02 -> PtxTexelFormat.UNSIGNED16;
      case 0x03 -> PtxTexelFormat.UNSIGNED32;
      case 0x08 -> PtxTexelFormat.SIGNED8;
      case 0x09 -> PtxTexelFormat.SIGNED16;
      case 0x0a -> PtxTexelFormat.SIGNED32;
      case 0x10 -> PtxTexelFormat.HALF;
      case 0x20 -> PtxTexelFormat.FLOAT;
      default -> null;
    };
  }

  /** Whether a texel can have so many values. */
  static boolean areChannels(int count) {
    return count == 1 || count == 2 || count == 4;
  }

  /** Whether surfaces can use it. */
  boolean isForSurfaces() {
    return (flags & SURFACE) != 0;
  }

  private boolean isLayered() {
    return (flags & LAYERED) != 0;
  }

  private int dimensions() {
    return height == 0 ? 1 : depth == 0 || isLayered() ? 2 : 3;
  }

  /** Whether a device can have such an array, as a result code. */
  public int check(DeviceProfile profile) {
    if ((flags & ~(LAYERED | SURFACE | GATHER | UNSUPPORTED)) != 0) {
      return CudaResult.INVALID_VALUE;
    }
    if ((flags & UNSUPPORTED) != 0) {
      return CudaResult.NOT_SUPPORTED;
    }
    boolean possible =
        texelFormat(format) != null
            && areChannels(channels)
            && width > 0
            && (isLayered() ? depth > 0 : height != 0 || depth == 0)
            && new ArrayLimits(profile, dimensions(), isLayered()).hold(width, height, depth);
    return possible ? CudaResult.SUCCESS : CudaResult.INVALID_VALUE;
  }

  /** The shape of a level: each extent is half of the level's before it, and at least 1. */
  ArrayShape level(int index) {
    long deep = isLayered() ? depth : smaller(depth, index);
    return new ArrayShape(
        smaller(width, index), smaller(height, index), deep, format, channels, flags);
  }

  private static long smaller(long extent, int halvings) {
    return extent == 0 ? 0 : Math.max(1, extent >> halvings);
  }

  /** How many levels there can be. */
  public int mostLevels() {
    long largest = Math.max(width, Math.max(height, isLayered() ? 0 : depth));
    return Long.SIZE - Long.numberOfLeadingZeros(largest);
  }

  /** Bytes of memory. */
  long bytes() {
    PtxImage image = at(0);
    return image.slice() * image.slices();
  }

  /** The texels, where the memory lies at an address. */
  PtxImage at(long address) {
    PtxTexelFormat texels = texelFormat(format);
    int rows = (int) Math.max(1, height);
    long pitch = (width * channels * texels.bytes() + ROW - 1) & -ROW;
    return new PtxImage(
        address,
        texels,
        channels,
        dimensions(),
        (int) width,
        rows,
        isLayered() ? 1 : (int) Math.max(1, depth),
        isLayered() ? (int) depth : 0,
        pitch,
        pitch * rows);
  }
}
