// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.struct;

import io.outboard.spec.Struct;

/**
 * The format of a pixel.
 *
 * @param channelOrder which channels it has
 * @param channelType what a channel is
 */
@Struct("cl_image_format")
public record ImageFormat(int channelOrder, int channelType) {}
