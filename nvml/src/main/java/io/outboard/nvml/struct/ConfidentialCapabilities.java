// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * What the system could do of confidential computing.
 *
 * @param processor of the processor
 * @param devices of the devices
 */
@Struct("nvmlConfComputeSystemCaps_t")
public record ConfidentialCapabilities(int processor, int devices) {}
