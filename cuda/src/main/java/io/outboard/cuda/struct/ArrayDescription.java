// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import io.outboard.spec.Struct;

/**
 * An array of one or two dimensions.
 *
 * @param width elements
 * @param height rows; 0 for one dimension
 * @param format {@code CUarray_format}
 * @param channels values of an element
 */
@Struct("CUDA_ARRAY_DESCRIPTOR")
public record ArrayDescription(long width, long height, int format, int channels) {}
