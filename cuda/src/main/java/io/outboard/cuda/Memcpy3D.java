// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import static io.outboard.cuda.CudaKinds.ARRAY;

import io.outboard.spec.DevicePointer;
import io.outboard.spec.Handle;
import io.outboard.spec.Struct;

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
    @Handle(ARRAY) long sourceArray,
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
    @Handle(ARRAY) long destinationArray,
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
}
