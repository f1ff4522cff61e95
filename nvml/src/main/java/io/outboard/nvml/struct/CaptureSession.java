// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * A session of frame buffer capture.
 *
 * @param session identity
 * @param process process id
 * @param virtualGpu virtual GPU
 * @param display which display
 * @param type type
 * @param flags flags
 * @param maxWidth pixels
 * @param maxHeight pixels
 * @param width pixels
 * @param height pixels
 * @param framesPerSecond mean
 * @param latency mean, in microseconds
 */
@Struct("nvmlFBCSessionInfo_t")
public record CaptureSession(
    int session,
    int process,
    int virtualGpu,
    int display,
    int type,
    int flags,
    int maxWidth,
    int maxHeight,
    int width,
    int height,
    int framesPerSecond,
    int latency) {}
