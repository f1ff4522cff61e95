// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.struct;

import static io.outboard.opencl.OpenClKinds.MEMORY;

import io.outboard.spec.Handle;
import io.outboard.spec.Struct;

/**
 * The shape of an image; pitches are in bytes.
 *
 * @param type CL_MEM_OBJECT_IMAGE…
 * @param width in pixels
 * @param height in pixels
 * @param depth in pixels
 * @param arraySize images in an array
 * @param rowPitch of the program's memory
 * @param slicePitch of the program's memory
 * @param mipLevels 0
 * @param samples 0
 * @param memory that the image is made of, or null
 */
@Struct("cl_image_desc")
public record ImageDescription(
    int type,
    long width,
    long height,
    long depth,
    long arraySize,
    long rowPitch,
    long slicePitch,
    int mipLevels,
    int samples,
    @Handle(MEMORY) long memory) {}
