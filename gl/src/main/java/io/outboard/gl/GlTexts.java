// SPDX-License-Identifier: Apache-2.0
package io.outboard.gl;

import static io.outboard.spec.Scalar.INT;

import io.outboard.spec.Async;
import io.outboard.spec.CString;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.Found;
import io.outboard.spec.In;
import io.outboard.spec.Out;
import io.outboard.spec.Returned;

/** Texts that are several, or returned; and errors. */
public interface GlTexts {
  /**
   * OpenGL 1.0.
   *
   * @param room bytes that there are for the text, with its NUL; a longer one is cut
   */
  @Call(60)
  @Custom(
      value = "the text is returned",
      prototype = "const unsigned char *glGetString(int name)",
      binding = true)
  int glGetString(int name, @CString @Out(bytes = "room") long text, @Found int room);

  /**
   * OpenGL 3.0.
   *
   * @param room bytes that there are for the text, with its NUL; a longer one is cut
   */
  @Call(61)
  @Custom(
      value = "the text is returned",
      prototype = "const unsigned char *glGetStringi(int name, int index)",
      binding = true)
  int glGetStringi(int name, int index, @CString @Out(bytes = "room") long text, @Found int room);

  /** OpenGL 1.0: also what this side has refused. */
  @Call(62)
  @Custom(value = "errors of both sides", prototype = "int glGetError(void)", binding = true)
  int glGetError(@Out(INT) @Returned long error);

  /**
   * OpenGL 2.0.
   *
   * @param source all strings, one after the other
   */
  @Call(63)
  @Async
  @Custom(
      value = "several strings",
      prototype =
          "void glShaderSource(int shader, int count, const char *const *strings, const int"
              + " *lengths)",
      binding = true)
  int glShaderSource(int shader, @In(bytes = "bytes") long source, @Found int bytes);

  /**
   * OpenGL 3.0.
   *
   * @param names each with its NUL, one after the other
   */
  @Call(64)
  @Async
  @Custom(
      value = "several strings",
      prototype =
          "void glTransformFeedbackVaryings(int program, int count, const char *const *varyings,"
              + " int mode)",
      binding = true)
  int glTransformFeedbackVaryings(
      int program, int count, @In(bytes = "bytes") long names, @Found int bytes, int mode);

  /**
   * OpenGL 3.1.
   *
   * @param names each with its NUL, one after the other
   */
  @Call(65)
  @Custom(
      value = "several strings",
      prototype =
          "void glGetUniformIndices(int program, int count, const char *const *strings, int"
              + " *indices)",
      binding = true)
  int glGetUniformIndices(
      int program,
      int count,
      @In(bytes = "bytes") long names,
      @Found int bytes,
      @Out(value = INT, count = "count") long indices);

  /**
   * OpenGL 3.1.
   *
   * @param many how many values the program has room for
   */
  @Call(66)
  @Custom(
      value = "another figure says how many values there are",
      prototype = "void glGetActiveUniformBlockiv(int program, int index, int name, int *values)",
      binding = true)
  int glGetActiveUniformBlockiv(
      int program,
      int index,
      int name,
      @Out(value = INT, count = "many") long values,
      @Found int many);

  /** OpenGL 4.3; without a label the object has none any more. */
  @Call(67)
  @Async
  @Custom(
      value = "a length that need not be given",
      prototype = "void glObjectLabel(int identifier, int name, int length, const char *label)")
  int glObjectLabel(
      int identifier, int name, int length, @In(bytes = "length", optional = true) long label);

  /** OpenGL 4.3. */
  @Call(68)
  @Async
  @Custom(
      value = "a length that need not be given",
      prototype = "void glPushDebugGroup(int source, int id, int length, const char *message)")
  int glPushDebugGroup(int source, int id, int length, @In(bytes = "length") long message);

  /** OpenGL 4.3. */
  @Call(69)
  @Async
  @Custom(
      value = "a length that need not be given",
      prototype =
          "void glDebugMessageInsert(int source, int type, int id, int severity, int length, const"
              + " char *message)")
  int glDebugMessageInsert(
      int source, int type, int id, int severity, int length, @In(bytes = "length") long message);
}
