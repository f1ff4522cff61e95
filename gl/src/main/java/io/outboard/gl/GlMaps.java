// SPDX-License-Identifier: Apache-2.0
package io.outboard.gl;

import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.spec.Async;
import io.outboard.spec.Blocking;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.In;
import io.outboard.spec.Local;
import io.outboard.spec.Out;

/**
 * Buffers, and uniforms that the program reads. A buffer that is mapped lies in the program's
 * memory meanwhile: it is read when it is mapped, and written when it is unmapped or flushed.
 */
public interface GlMaps {
  /** Reads a part of the buffer that is bound. */
  @Call(70)
  @Blocking
  @Custom(value = "a call of our own", binding = true)
  int outboardReadBuffer(int target, long offset, @Out(bytes = "bytes") long data, long bytes);

  /**
   * Reads a uniform.
   *
   * @param type {@code GL_FLOAT}, {@code GL_INT}, {@code GL_UNSIGNED_INT} or {@code GL_DOUBLE}
   * @param count how many values there are, at most 16
   */
  @Call(71)
  @Custom(value = "a call of our own", binding = true)
  int outboardGetUniform(
      int program, int location, int type, @Out(bytes = "128") long values, @Out(INT) long count);

  /**
   * OpenGL 1.4.
   *
   * @param indices offsets into the buffer that is bound
   */
  @Call(72)
  @Async
  @Custom(
      value = "offsets in a list",
      prototype =
          "void glMultiDrawElements(int mode, const int *count, int type, const void *const"
              + " *indices, int drawcount)",
      binding = true)
  int glMultiDrawElements(
      int mode,
      @In(value = INT, count = "drawcount") long count,
      int type,
      @In(value = LONG, count = "drawcount") long indices,
      int drawcount);

  /**
   * OpenGL 3.2.
   *
   * @param indices offsets into the buffer that is bound
   */
  @Call(73)
  @Async
  @Custom(
      value = "offsets in a list",
      prototype =
          "void glMultiDrawElementsBaseVertex(int mode, const int *count, int type, const void"
              + " *const *indices, int drawcount, const int *basevertex)",
      binding = true)
  int glMultiDrawElementsBaseVertex(
      int mode,
      @In(value = INT, count = "drawcount") long count,
      int type,
      @In(value = LONG, count = "drawcount") long indices,
      int drawcount,
      @In(value = INT, count = "drawcount") long basevertex);

  /** OpenGL 1.5. */
  @Local(prototype = "void *glMapBuffer(int target, int access)")
  default int glMapBuffer() {
    return GlResult.INVALID_OPERATION;
  }

  /** OpenGL 3.0. */
  @Local(
      prototype =
          "void *glMapBufferRange(int target, uint64_t offset, uint64_t length, int access)")
  default int glMapBufferRange() {
    return GlResult.INVALID_OPERATION;
  }

  /** OpenGL 1.5. */
  @Local(prototype = "unsigned char glUnmapBuffer(int target)")
  default int glUnmapBuffer() {
    return GlResult.INVALID_OPERATION;
  }

  /** OpenGL 3.0. */
  @Local(prototype = "void glFlushMappedBufferRange(int target, uint64_t offset, uint64_t length)")
  default int glFlushMappedBufferRange() {
    return GlResult.INVALID_OPERATION;
  }

  /** OpenGL 1.5. */
  @Local(prototype = "void glGetBufferPointerv(int target, int name, void **pointer)")
  default int glGetBufferPointerv() {
    return GlResult.INVALID_OPERATION;
  }

  /** OpenGL 2.0. */
  @Local(prototype = "void glGetUniformfv(int program, int location, float *values)")
  default int glGetUniformfv() {
    return GlResult.INVALID_OPERATION;
  }

  /** OpenGL 2.0. */
  @Local(prototype = "void glGetUniformiv(int program, int location, int *values)")
  default int glGetUniformiv() {
    return GlResult.INVALID_OPERATION;
  }

  /** OpenGL 3.0. */
  @Local(prototype = "void glGetUniformuiv(int program, int location, int *values)")
  default int glGetUniformuiv() {
    return GlResult.INVALID_OPERATION;
  }
}
