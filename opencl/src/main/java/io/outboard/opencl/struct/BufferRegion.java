// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.struct;

import io.outboard.spec.Struct;

/**
 * A part of a buffer.
 *
 * @param origin where it begins, in bytes
 * @param size how long it is, in bytes
 */
@Struct("cl_buffer_region")
public record BufferRegion(long origin, long size) {}
