// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import static io.outboard.cuda.CudaKinds.ARRAY;

import io.outboard.spec.DevicePointer;
import io.outboard.spec.Handle;
import io.outboard.spec.Struct;

/**
 * A copy of a rectangle. Of each side the memory type says which address counts.
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
@Struct("CUDA_MEMCPY2D")
public record Memcpy2D(
    long sourceX,
    long sourceY,
    int sourceType,
    long sourceHost,
    @DevicePointer long sourceDevice,
    @Handle(ARRAY) long sourceArray,
    long sourcePitch,
    long destinationX,
    long destinationY,
    int destinationType,
    long destinationHost,
    @DevicePointer long destinationDevice,
    @Handle(ARRAY) long destinationArray,
    long destinationPitch,
    long width,
    long height) {}
