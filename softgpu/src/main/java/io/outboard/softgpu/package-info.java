// SPDX-License-Identifier: Apache-2.0
/**
 * The software GPU: a CUDA device in pure Java. {@link io.outboard.softgpu.SoftGpu} is the door.
 */
package io.outboard.softgpu;
