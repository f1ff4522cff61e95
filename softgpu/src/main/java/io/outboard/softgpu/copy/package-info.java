// SPDX-License-Identifier: Apache-2.0
/**
 * Work that moves bytes or fills memory: lines, rectangles, boxes, arrays. Each is checked before
 * it is made, and done in its stream. Host memory and device memory have one address each here.
 */
package io.outboard.softgpu.copy;
