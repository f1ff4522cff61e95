// SPDX-License-Identifier: Apache-2.0
package io.outboard.gl;

import io.outboard.spec.Local;

/**
 * Arrays of vertices in the program's memory. The frontend has their addresses; what a draw needs
 * of them goes to buffers of its own.
 */
public interface GlArrays {
  /** OpenGL 1.1. */
  @Local(prototype = "void glInterleavedArrays(int format, int stride, const void *pointer)")
  default int glInterleavedArrays() {
    return GlResult.INVALID_OPERATION;
  }

  /** OpenGL 1.1. */
  @Local(prototype = "void glGetPointerv(int name, void **pointer)")
  default int glGetPointerv() {
    return GlResult.INVALID_OPERATION;
  }

  /** OpenGL 2.0. */
  @Local(prototype = "void glGetVertexAttribPointerv(int index, int name, void **pointer)")
  default int glGetVertexAttribPointerv() {
    return GlResult.INVALID_OPERATION;
  }
}
