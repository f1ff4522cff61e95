// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.host;

import java.lang.foreign.MemorySegment;

/**
 * One launch of a kernel.
 *
 * @param grid the number of blocks
 * @param block the number of threads of a block, at most 1024 in all
 * @param dynamicSharedBytes the size of the dynamic shared memory of a block
 * @param parameters the parameter buffer; copied when the launch starts
 * @param memory the memory of the device
 * @param common what the kernels of all devices reach; it holds no address of {@code memory}
 * @param workspace the device address of {@link #WORKSPACE} bytes of zeros by which the blocks of a
 *     cooperative launch wait for each other; 0 for a launch whose blocks do not
 * @param host the surroundings
 */
public record PtxLaunch(
    Dim3 grid,
    Dim3 block,
    int dynamicSharedBytes,
    MemorySegment parameters,
    PtxMemory memory,
    PtxMemory common,
    long workspace,
    PtxHost host) {
  /**
   * Bytes of the workspace: its size and a counter, a word each; kernels find it by the registers
   * {@code %envreg1} (high word) and {@code %envreg2} (low word).
   */
  public static final int WORKSPACE = 8;

  /** The same as a cooperative launch: all blocks run at the same time, and may wait for others. */
  public PtxLaunch cooperative(long at) {
    return new PtxLaunch(grid, block, dynamicSharedBytes, parameters, memory, common, at, host);
  }
}
