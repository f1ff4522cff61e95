// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.call;

import io.outboard.cuda.CudaResult;
import io.outboard.cuda.CudaTensorMaps;
import io.outboard.softgpu.device.Machine;
import io.outboard.wire.Native;
import java.util.function.LongPredicate;

/**
 * Tensor maps (CUDA Driver API, section 6.31): descriptions that the program keeps. Their bytes are
 * the driver's own. The devices have none of the instructions that read one, and a kernel that has
 * is refused.
 */
public final class TensorMapCalls implements CudaTensorMaps {
  private static final int MOST_RANK = 5;

  /** Im2col walks over at least one dimension between the batch and the channels. */
  private static final int LEAST_COLUMN_RANK = 3;

  private static final int LAST_INTERLEAVE = 2;
  private static final int LAST_SWIZZLE = 6;
  private static final int LAST_PROMOTION = 3;
  private static final int LAST_FILL = 1;
  private static final int LAST_WIDE_MODE = 1;
  private static final long LINE = 16;
  private static final long MOST_SIZE = 1L << 32;
  private static final long MOST_STRIDE = 1L << 40;
  private static final int MOST_BOX = 256;
  private static final int MOST_ELEMENT_STRIDE = 8;
  private static final int MOST_CHANNELS = 256;
  private static final int MOST_PIXELS = 1024;

  /** Bytes of an element by type; those of four and six bits come in lines of their own. */
  private static final int[] ELEMENT_BYTES = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};

  private static final int LAST_TYPE = 15;

  /** {@code CUtensorMap}, and what is where in those of the software GPU. */
  private static final int MAP_BYTES = 128;

  private static final long ADDRESS_AT = 0;
  private static final long TYPE_AT = 8;
  private static final long RANK_AT = 12;
  private static final long SIZES_AT = 16;
  private static final long STRIDES_AT = 56;

  private final Machine machine;

  public TensorMapCalls(Machine machine) {
    this.machine = machine;
  }

  /** What all kinds of maps have. */
  private record Shape(int type, int rank, long address, long sizes, long strides, long steps) {
    boolean isPossible() {
      return within(type, LAST_TYPE)
          && isLine(address)
          && all(sizes, rank, Long.BYTES, size -> size > 0 && size <= MOST_SIZE)
          && all(strides, rank - 1, Long.BYTES, Shape::isStride)
          && all(steps, rank, Integer.BYTES, step -> step > 0 && step <= MOST_ELEMENT_STRIDE);
    }

    private static boolean isStride(long stride) {
      return stride >= 0 && stride < MOST_STRIDE && isLine(stride);
    }

    /** Whether so many elements side by side are whole lines. */
    boolean fills(long elements) {
      return type >= ELEMENT_BYTES.length || isLine(elements * ELEMENT_BYTES[type]);
    }
  }

  private static boolean isLine(long bytes) {
    return bytes % LINE == 0;
  }

  private static boolean within(int value, int last) {
    return value >= 0 && value <= last;
  }

  private static boolean all(long list, int count, int bytes, LongPredicate possible) {
    for (int i = 0; i < count; i++) {
      long at = list + (long) i * bytes;
      if (list == 0
          || !possible.test(bytes == Long.BYTES ? Native.getLong(at) : Native.getInt(at))) {
        return false;
      }
    }
    return true;
  }

  private static boolean areModes(int interleave, int swizzle, int promotion, int fill) {
    return within(interleave, LAST_INTERLEAVE)
        && within(swizzle, LAST_SWIZZLE)
        && within(promotion, LAST_PROMOTION)
        && within(fill, LAST_FILL);
  }

  /** Describes a tensor, if it is possible. */
  private int encode(long map, Shape shape, boolean possible) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    if (!possible) {
      return CudaResult.INVALID_VALUE;
    }
    Native.fill(map, MAP_BYTES, (byte) 0);
    Native.putLong(map + ADDRESS_AT, shape.address);
    Native.putInt(map + TYPE_AT, shape.type);
    Native.putInt(map + RANK_AT, shape.rank);
    Native.copy(shape.sizes, map + SIZES_AT, (long) shape.rank * Long.BYTES);
    Native.copy(shape.strides, map + STRIDES_AT, (shape.rank - 1L) * Long.BYTES);
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuTensorMapEncodeTiled(
      long map,
      int type,
      int rank,
      long address,
      long dimensions,
      long strides,
      long box,
      long elementStrides,
      int interleave,
      int swizzle,
      int promotion,
      int fill) {
    Shape shape = new Shape(type, rank, address, dimensions, strides, elementStrides);
    return encode(
        map,
        shape,
        map != 0
            && rank > 0
            && rank <= MOST_RANK
            && areModes(interleave, swizzle, promotion, fill)
            && shape.isPossible()
            && all(box, rank, Integer.BYTES, side -> side > 0 && side <= MOST_BOX)
            && (interleave != 0 || shape.fills(Native.getInt(box))));
  }

  /** Whether columns of pixels can have that shape. */
  private static boolean columns(Shape shape, int channels, int pixels, int interleave) {
    return shape.rank >= LEAST_COLUMN_RANK
        && shape.rank <= MOST_RANK
        && shape.isPossible()
        && channels > 0
        && channels <= MOST_CHANNELS
        && pixels > 0
        && pixels <= MOST_PIXELS
        && (interleave != 0 || shape.fills(channels));
  }

  @Override
  public int cuTensorMapEncodeIm2col(
      long map,
      int type,
      int rank,
      long address,
      long dimensions,
      long strides,
      long lowerCorner,
      long upperCorner,
      int channels,
      int pixels,
      long elementStrides,
      int interleave,
      int swizzle,
      int promotion,
      int fill) {
    Shape shape = new Shape(type, rank, address, dimensions, strides, elementStrides);
    return encode(
        map,
        shape,
        map != 0
            && lowerCorner != 0
            && upperCorner != 0
            && areModes(interleave, swizzle, promotion, fill)
            && columns(shape, channels, pixels, interleave));
  }

  @Override
  public int cuTensorMapEncodeIm2colWide(
      long map,
      int type,
      int rank,
      long address,
      long dimensions,
      long strides,
      int lowerCorner,
      int upperCorner,
      int channels,
      int pixels,
      long elementStrides,
      int interleave,
      int mode,
      int swizzle,
      int promotion,
      int fill) {
    Shape shape = new Shape(type, rank, address, dimensions, strides, elementStrides);
    return encode(
        map,
        shape,
        map != 0
            && lowerCorner == (short) lowerCorner
            && upperCorner == (short) upperCorner
            && within(mode, LAST_WIDE_MODE)
            && areModes(interleave, swizzle, promotion, fill)
            && columns(shape, channels, pixels, interleave));
  }

  @Override
  public int cuTensorMapReplaceAddress(long map, long address) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    if (map == 0 || address == 0 || !isLine(address)) {
      return CudaResult.INVALID_VALUE;
    }
    Native.putLong(map + ADDRESS_AT, address);
    return CudaResult.SUCCESS;
  }
}
