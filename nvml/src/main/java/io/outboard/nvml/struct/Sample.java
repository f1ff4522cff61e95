// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * A sample.
 *
 * @param time time in microseconds
 * @param value the value, of the type asked for
 */
@Struct("nvmlSample_t")
public record Sample(long time, long value) {
  /** Its size. */
  public static final int BYTES = 16;
}
