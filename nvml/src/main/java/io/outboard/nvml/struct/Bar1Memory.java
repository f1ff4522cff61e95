// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * The window through which a host sees memory of a device, in bytes.
 *
 * @param total all of it
 * @param free what is free
 * @param used what is used
 */
@Struct("nvmlBAR1Memory_t")
public record Bar1Memory(long total, long free, long used) {}
