// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import io.outboard.spec.Struct;

/**
 * {@link ArrayDescription} before CUDA 3.2, of 32 bits.
 *
 * @param width elements
 * @param height rows; 0 for one dimension
 * @param format {@code CUarray_format}
 * @param channels values of an element
 */
@Struct("CUDA_ARRAY_DESCRIPTOR_v1")
public record OlderArrayDescription(int width, int height, int format, int channels) {}
