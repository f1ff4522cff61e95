// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import static io.outboard.cuda.CudaKinds.ARRAY;

import io.outboard.cuda.CudaResult;
import io.outboard.spec.DevicePointer;
import io.outboard.spec.Handle;
import io.outboard.spec.Struct;
import io.outboard.wire.Native;

/**
 * A copy of a box. Of each side the memory type says which address counts.
 *
 * @param sourceX bytes to skip in a row
 * @param sourceY rows to skip
 * @param sourceZ layers to skip
 * @param sourceLevel level of a mipmapped array
 * @param sourceType {@code CUmemorytype}
 * @param sourceHost address in the program
 * @param sourceDevice address on the device
 * @param sourceArray array
 * @param sourceContext context; {@code cuMemcpy3DPeer} has it
 * @param sourcePitch bytes from row to row
 * @param sourceHeight rows from layer to layer
 * @param destinationX bytes to skip in a row
 * @param destinationY rows to skip
 * @param destinationZ layers to skip
 * @param destinationLevel level of a mipmapped array
 * @param destinationType {@code CUmemorytype}
 * @param destinationHost address in the program
 * @param destinationDevice address on the device
 * @param destinationArray array
 * @param destinationContext context; {@code cuMemcpy3DPeer} has it
 * @param destinationPitch bytes from row to row
 * @param destinationHeight rows from layer to layer
 * @param width bytes of a row
 * @param height rows
 * @param depth layers
 */
@Struct("CUDA_MEMCPY3D")
public record Memcpy3D(
    long sourceX,
    long sourceY,
    long sourceZ,
    long sourceLevel,
    int sourceType,
    long sourceHost,
    @DevicePointer long sourceDevice,
    @Handle(value = ARRAY, invalid = CudaResult.INVALID_VALUE) long sourceArray,
    long sourceContext,
    long sourcePitch,
    long sourceHeight,
    long destinationX,
    long destinationY,
    long destinationZ,
    long destinationLevel,
    int destinationType,
    long destinationHost,
    @DevicePointer long destinationDevice,
    @Handle(value = ARRAY, invalid = CudaResult.INVALID_VALUE) long destinationArray,
    long destinationContext,
    long destinationPitch,
    long destinationHeight,
    long width,
    long height,
    long depth) {
  /** Offset of {@link #destinationX}: the second side is laid out as the first. */
  public static final int SIDE_BYTES = 88;

  /** Offset of {@link #width}. */
  public static final int EXTENT = 176;

  /** Size of the structure in bytes. */
  public static final int BYTES = 200;

  /** {@link #sourceType} of memory of the program. */
  public static final int HOST = 1;

  /** Offset of the type in a side. */
  public static final int TYPE = 32;

  /** Offset of the address in the program. */
  public static final int HOST_ADDRESS = 40;

  /** Offset in a side. */
  public static final int DEVICE_ADDRESS = 48;

  /** Offset of the array in a side. */
  public static final int ARRAY_VALUE = 56;

  /** Offset of the distance between rows in a side. */
  public static final int PITCH = 72;

  /** Offset of the number of rows between layers in a side. */
  public static final int ROWS = 80;

  /**
   * Bytes from the address of a side to the end of the box in it.
   *
   * @throws ArithmeticException if there is no such number
   */
  public static long reach(long side, long extent) {
    long x = Math.addExact(Native.getLong(side), Native.getLong(extent));
    long y = Math.addExact(Native.getLong(side + 8), Native.getLong(extent + 8) - 1);
    long z = Math.addExact(Native.getLong(side + 16), Native.getLong(extent + 16) - 1);
    long rows = Math.addExact(Math.multiplyExact(z, Native.getLong(side + ROWS)), y);
    return Math.addExact(Math.multiplyExact(rows, Native.getLong(side + PITCH)), x);
  }

  /** Whether a box of these extents, none of them negative, has so many bytes. */
  public static boolean holds(long bytes, long width, long height, long depth) {
    try {
      return Math.min(width, Math.min(height, depth)) >= 0
          && Math.multiplyExact(Math.multiplyExact(width, height), depth) == bytes;
    } catch (ArithmeticException tooMuch) {
      return false;
    }
  }
}
