// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import static io.outboard.cuda.CudaKinds.ARRAY;

import io.outboard.spec.Handle;
import io.outboard.spec.Struct;

/**
 * {@link Memcpy3D} before CUDA 3.2, of 32 bits.
 *
 * @param sourceX bytes to skip in a row
 * @param sourceY rows to skip
 * @param sourceZ layers to skip
 * @param sourceLevel level of a mipmapped array
 * @param sourceType {@code CUmemorytype}
 * @param sourceHost address in the program
 * @param sourceDevice address on the device
 * @param sourceArray array
 * @param sourceContext not used
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
 * @param destinationContext not used
 * @param destinationPitch bytes from row to row
 * @param destinationHeight rows from layer to layer
 * @param width bytes of a row
 * @param height rows
 * @param depth layers
 */
@Struct("CUDA_MEMCPY3D_v1")
public record OlderMemcpy3D(
    int sourceX,
    int sourceY,
    int sourceZ,
    int sourceLevel,
    int sourceType,
    long sourceHost,
    int sourceDevice,
    @Handle(ARRAY) long sourceArray,
    long sourceContext,
    int sourcePitch,
    int sourceHeight,
    int destinationX,
    int destinationY,
    int destinationZ,
    int destinationLevel,
    int destinationType,
    long destinationHost,
    int destinationDevice,
    @Handle(ARRAY) long destinationArray,
    long destinationContext,
    int destinationPitch,
    int destinationHeight,
    int width,
    int height,
    int depth) {}
