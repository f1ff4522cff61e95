// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import io.outboard.spec.Struct;

/**
 * An array of up to three dimensions.
 *
 * @param width elements
 * @param height rows
 * @param depth layers
 * @param format {@code CUarray_format}
 * @param channels values of an element
 * @param flags {@code CUDA_ARRAY3D_…}
 */
@Struct("CUDA_ARRAY3D_DESCRIPTOR")
public record Array3DDescription(
    long width, long height, long depth, int format, int channels, int flags) {}
