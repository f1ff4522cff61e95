// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.run;

import java.util.List;

/**
 * A kernel ready to run.
 *
 * @param name as in the PTX text
 * @param code the regions
 * @param methods the region that each entry belongs to
 * @param cuts where threads wait
 * @param simple whether threads run from start to end without anybody to wait for
 * @param ints how many ints of a thread live across cuts
 * @param longs how many longs
 * @param sharedBytes the static shared memory of a block
 * @param localBytes the local memory of a thread
 * @param parameterBytes the size of the parameter buffer
 */
public record CompiledKernel(
    String name,
    Code code,
    List<Integer> methods,
    List<Cut> cuts,
    boolean simple,
    int ints,
    int longs,
    int sharedBytes,
    int localBytes,
    int parameterBytes) {
  /** The shared memory of a block: dynamic memory begins at a multiple of 16 after the static. */
  int sharedBytes(int dynamicBytes) {
    return dynamicBytes == 0 ? sharedBytes : Math.addExact((sharedBytes + 15) & -16, dynamicBytes);
  }

  /** Whether threads wait for others of their warp. */
  boolean perWarp() {
    for (Cut cut : cuts) {
      if (!cut.operation().ofBlock()) {
        return true;
      }
    }
    return false;
  }
}
