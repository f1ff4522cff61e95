// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * Memory of a device, in bytes.
 *
 * @param total all of it
 * @param free what is free
 * @param used what is used, the reserved part too
 */
@Struct("nvmlMemory_t")
public record Memory(long total, long free, long used) {}
