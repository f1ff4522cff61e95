// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * Memory by protection, in KiB.
 *
 * @param protectedKib protected
 * @param unprotectedKib not protected
 */
@Struct("nvmlConfComputeMemSizeInfo_t")
public record ConfidentialMemory(long protectedKib, long unprotectedKib) {}
