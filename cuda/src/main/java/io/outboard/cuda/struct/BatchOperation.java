// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import io.outboard.spec.Size;
import io.outboard.spec.Struct;

/**
 * One of several waits and writes.
 *
 * @param words operation, address, value, flags
 */
@Struct("CUstreamBatchMemOpParams")
public record BatchOperation(@Size(6) long[] words) {
  /** Size of the structure in bytes. */
  public static final int BYTES = 48;
}
