// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * A session of the video encoder.
 *
 * @param session identity
 * @param process process id
 * @param virtualGpu virtual GPU
 * @param codec codec
 * @param width pixels
 * @param height pixels
 * @param framesPerSecond mean
 * @param latency mean, in microseconds
 */
@Struct("nvmlEncoderSessionInfo_t")
public record EncoderSession(
    int session,
    int process,
    int virtualGpu,
    int codec,
    int width,
    int height,
    int framesPerSecond,
    int latency) {}
