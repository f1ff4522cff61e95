// SPDX-License-Identifier: Apache-2.0
/**
 * Arrays, and textures and surfaces on them, as kernels see them. An array lies in device memory
 * and has a shape that the device's figures bound. The vendor's descriptions are checked and read
 * here.
 */
package io.outboard.softgpu.texture;
