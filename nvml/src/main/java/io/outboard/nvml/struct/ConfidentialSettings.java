// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * Settings of confidential computing.
 *
 * @param version size and version
 * @param environment environment
 * @param feature whether it is on
 * @param developerTools whether tools may look in
 * @param multiGpu mode of several devices
 */
@Struct(value = "nvmlSystemConfComputeSettings_v1_t", sized = true)
public record ConfidentialSettings(
    int version, int environment, int feature, int developerTools, int multiGpu) {}
