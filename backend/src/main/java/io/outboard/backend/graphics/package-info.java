// SPDX-License-Identifier: Apache-2.0
/** Buffers and textures that OpenGL and CUDA have in common in one session. */
package io.outboard.backend.graphics;
