// SPDX-License-Identifier: Apache-2.0
/**
 * OpenGL without a window, as a program sees it: EGL 1.5, OpenGL to 4.3 and OpenGL ES to 3.2. The
 * interfaces whose functions Khronos' registry describes whole are generated from it.
 */
package io.outboard.gl;
