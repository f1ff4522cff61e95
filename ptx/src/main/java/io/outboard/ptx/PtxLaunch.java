// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx;

import java.lang.foreign.MemorySegment;

/**
 * One launch of a kernel.
 *
 * @param grid the number of blocks
 * @param block the number of threads of a block, at most 1024 in all
 * @param dynamicSharedBytes the size of the dynamic shared memory of a block
 * @param parameters the parameter buffer; copied when the launch starts
 * @param memory the device memory: address {@code a} lies at offset {@code a - memoryBase}; its
 *     alignment is at least 16 bytes
 * @param memoryBase the device address of the first byte of {@code memory}, a multiple of 16
 * @param host the surroundings
 */
public record PtxLaunch(
    Dim3 grid,
    Dim3 block,
    int dynamicSharedBytes,
    MemorySegment parameters,
    MemorySegment memory,
    long memoryBase,
    PtxHost host) {}
