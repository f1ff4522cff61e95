// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import io.outboard.spec.Struct;

/**
 * {@link Array3DDescription} before CUDA 3.2, of 32 bits.
 *
 * @param width elements
 * @param height rows
 * @param depth layers
 * @param format {@code CUarray_format}
 * @param channels values of an element
 * @param flags {@code CUDA_ARRAY3D_…}
 */
@Struct("CUDA_ARRAY3D_DESCRIPTOR_v1")
public record OlderArray3DDescription(
    int width, int height, int depth, int format, int channels, int flags) {}
