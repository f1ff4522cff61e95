// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import static io.outboard.cuda.CudaKinds.ARRAY;

import io.outboard.spec.Handle;
import io.outboard.spec.Struct;

/**
 * {@link Memcpy2D} before CUDA 3.2, of 32 bits.
 *
 * @param sourceX bytes to skip in a row
 * @param sourceY rows to skip
 * @param sourceType {@code CUmemorytype}
 * @param sourceHost address in the program
 * @param sourceDevice address on the device
 * @param sourceArray array
 * @param sourcePitch bytes from row to row
 * @param destinationX bytes to skip in a row
 * @param destinationY rows to skip
 * @param destinationType {@code CUmemorytype}
 * @param destinationHost address in the program
 * @param destinationDevice address on the device
 * @param destinationArray array
 * @param destinationPitch bytes from row to row
 * @param width bytes of a row
 * @param height rows
 */
@Struct("CUDA_MEMCPY2D_v1")
public record OlderMemcpy2D(
    int sourceX,
    int sourceY,
    int sourceType,
    long sourceHost,
    int sourceDevice,
    @Handle(ARRAY) long sourceArray,
    int sourcePitch,
    int destinationX,
    int destinationY,
    int destinationType,
    long destinationHost,
    int destinationDevice,
    @Handle(ARRAY) long destinationArray,
    int destinationPitch,
    int width,
    int height) {}
