// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * Frame buffer capture.
 *
 * @param sessions sessions that are active
 * @param framesPerSecond mean
 * @param latency mean, in microseconds
 */
@Struct("nvmlFBCStats_t")
public record CaptureStatistics(int sessions, int framesPerSecond, int latency) {}
