// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * Memory of a device, in bytes.
 *
 * @param version size and version
 * @param total all of it
 * @param reserved the driver's own
 * @param free what is free
 * @param used what programs use
 */
@Struct(value = "nvmlMemory_v2_t", sized = true)
public record MemoryV2(int version, long total, long reserved, long free, long used) {
  /** Size and version, as programs set it. */
  public static final int VERSION = 2 << 24 | 40;

  /** Offset of {@link #total}. */
  public static final int TOTAL = 8;

  /** Offset of {@link #reserved}. */
  public static final int RESERVED = 16;

  /** Offset of {@link #free}. */
  public static final int FREE = 24;
}
