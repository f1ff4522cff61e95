// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * The system's capabilities for confidential computing.
 *
 * @param processor of the processor
 * @param devices of the devices
 */
@Struct("nvmlConfComputeSystemCaps_t")
public record ConfidentialCapabilities(int processor, int devices) {}
