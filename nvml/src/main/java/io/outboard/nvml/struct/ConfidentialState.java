// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * Confidential computing of the system.
 *
 * @param environment environment
 * @param feature whether it is on
 * @param developerTools whether tools may look in
 */
@Struct("nvmlConfComputeSystemState_t")
public record ConfidentialState(int environment, int feature, int developerTools) {}
