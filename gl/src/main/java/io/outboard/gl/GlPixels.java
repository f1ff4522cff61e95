// SPDX-License-Identifier: Apache-2.0
package io.outboard.gl;

import io.outboard.spec.Async;
import io.outboard.spec.Blocking;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.Found;
import io.outboard.spec.In;
import io.outboard.spec.Out;

/**
 * Images to and from the program's memory, or a buffer that is bound for them. The frontend makes
 * rows of an image in the program's memory follow each other without a gap, and has the form of
 * pixels here be the same. Of an image in a buffer {@code bytes} is 0 and {@code offset} says where
 * it lies; without one, an {@code offset} of 0 means no image.
 */
public interface GlPixels {
  /** OpenGL 1.0. */
  @Call(80)
  @Async
  @Custom(
      value = "pixels in the program's memory",
      prototype =
          "void glTexImage1D(int target, int level, int internalformat, int width, int"
              + " border, int format, int type, const void *pixels)",
      binding = true)
  int glTexImage1D(
      int target,
      int level,
      int internalformat,
      int width,
      int border,
      int format,
      int type,
      @In(bytes = "bytes", optional = true) long pixels,
      @Found long bytes,
      @Found long offset);

  /** OpenGL 1.0. */
  @Call(81)
  @Async
  @Custom(
      value = "pixels in the program's memory",
      prototype =
          "void glTexImage2D(int target, int level, int internalformat, int width, int"
              + " height, int border, int format, int type, const void *pixels)",
      binding = true)
  int glTexImage2D(
      int target,
      int level,
      int internalformat,
      int width,
      int height,
      int border,
      int format,
      int type,
      @In(bytes = "bytes", optional = true) long pixels,
      @Found long bytes,
      @Found long offset);

  /** OpenGL 1.2. */
  @Call(82)
  @Async
  @Custom(
      value = "pixels in the program's memory",
      prototype =
          "void glTexImage3D(int target, int level, int internalformat, int width, int"
              + " height, int depth, int border, int format, int type, const void *pixels)",
      binding = true)
  int glTexImage3D(
      int target,
      int level,
      int internalformat,
      int width,
      int height,
      int depth,
      int border,
      int format,
      int type,
      @In(bytes = "bytes", optional = true) long pixels,
      @Found long bytes,
      @Found long offset);

  /** OpenGL 1.1. */
  @Call(83)
  @Async
  @Custom(
      value = "pixels in the program's memory",
      prototype =
          "void glTexSubImage1D(int target, int level, int xoffset, int width, int format,"
              + " int type, const void *pixels)",
      binding = true)
  int glTexSubImage1D(
      int target,
      int level,
      int xoffset,
      int width,
      int format,
      int type,
      @In(bytes = "bytes", optional = true) long pixels,
      @Found long bytes,
      @Found long offset);

  /** OpenGL 1.1. */
  @Call(84)
  @Async
  @Custom(
      value = "pixels in the program's memory",
      prototype =
          "void glTexSubImage2D(int target, int level, int xoffset, int yoffset, int width,"
              + " int height, int format, int type, const void *pixels)",
      binding = true)
  int glTexSubImage2D(
      int target,
      int level,
      int xoffset,
      int yoffset,
      int width,
      int height,
      int format,
      int type,
      @In(bytes = "bytes", optional = true) long pixels,
      @Found long bytes,
      @Found long offset);

  /** OpenGL 1.2. */
  @Call(85)
  @Async
  @Custom(
      value = "pixels in the program's memory",
      prototype =
          "void glTexSubImage3D(int target, int level, int xoffset, int yoffset, int"
              + " zoffset, int width, int height, int depth, int format, int type, const void"
              + " *pixels)",
      binding = true)
  int glTexSubImage3D(
      int target,
      int level,
      int xoffset,
      int yoffset,
      int zoffset,
      int width,
      int height,
      int depth,
      int format,
      int type,
      @In(bytes = "bytes", optional = true) long pixels,
      @Found long bytes,
      @Found long offset);

  /** OpenGL 1.0. */
  @Call(86)
  @Async
  @Custom(
      value = "pixels in the program's memory",
      prototype =
          "void glDrawPixels(int width, int height, int format, int type, const void" + " *pixels)",
      binding = true)
  int glDrawPixels(
      int width,
      int height,
      int format,
      int type,
      @In(bytes = "bytes", optional = true) long pixels,
      @Found long bytes,
      @Found long offset);

  /** OpenGL 1.3. */
  @Call(87)
  @Async
  @Custom(
      value = "pixels in the program's memory",
      prototype =
          "void glCompressedTexImage1D(int target, int level, int internalformat, int"
              + " width, int border, int imageSize, const void *pixels)",
      binding = true)
  int glCompressedTexImage1D(
      int target,
      int level,
      int internalformat,
      int width,
      int border,
      int imageSize,
      @In(bytes = "bytes", optional = true) long pixels,
      @Found long bytes,
      @Found long offset);

  /** OpenGL 1.3. */
  @Call(88)
  @Async
  @Custom(
      value = "pixels in the program's memory",
      prototype =
          "void glCompressedTexImage2D(int target, int level, int internalformat, int"
              + " width, int height, int border, int imageSize, const void *pixels)",
      binding = true)
  int glCompressedTexImage2D(
      int target,
      int level,
      int internalformat,
      int width,
      int height,
      int border,
      int imageSize,
      @In(bytes = "bytes", optional = true) long pixels,
      @Found long bytes,
      @Found long offset);

  /** OpenGL 1.3. */
  @Call(89)
  @Async
  @Custom(
      value = "pixels in the program's memory",
      prototype =
          "void glCompressedTexImage3D(int target, int level, int internalformat, int"
              + " width, int height, int depth, int border, int imageSize, const void *pixels)",
      binding = true)
  int glCompressedTexImage3D(
      int target,
      int level,
      int internalformat,
      int width,
      int height,
      int depth,
      int border,
      int imageSize,
      @In(bytes = "bytes", optional = true) long pixels,
      @Found long bytes,
      @Found long offset);

  /** OpenGL 1.3. */
  @Call(90)
  @Async
  @Custom(
      value = "pixels in the program's memory",
      prototype =
          "void glCompressedTexSubImage1D(int target, int level, int xoffset, int width,"
              + " int format, int imageSize, const void *pixels)",
      binding = true)
  int glCompressedTexSubImage1D(
      int target,
      int level,
      int xoffset,
      int width,
      int format,
      int imageSize,
      @In(bytes = "bytes", optional = true) long pixels,
      @Found long bytes,
      @Found long offset);

  /** OpenGL 1.3. */
  @Call(91)
  @Async
  @Custom(
      value = "pixels in the program's memory",
      prototype =
          "void glCompressedTexSubImage2D(int target, int level, int xoffset, int yoffset,"
              + " int width, int height, int format, int imageSize, const void *pixels)",
      binding = true)
  int glCompressedTexSubImage2D(
      int target,
      int level,
      int xoffset,
      int yoffset,
      int width,
      int height,
      int format,
      int imageSize,
      @In(bytes = "bytes", optional = true) long pixels,
      @Found long bytes,
      @Found long offset);

  /** OpenGL 1.3. */
  @Call(92)
  @Async
  @Custom(
      value = "pixels in the program's memory",
      prototype =
          "void glCompressedTexSubImage3D(int target, int level, int xoffset, int yoffset,"
              + " int zoffset, int width, int height, int depth, int format, int imageSize, const"
              + " void *pixels)",
      binding = true)
  int glCompressedTexSubImage3D(
      int target,
      int level,
      int xoffset,
      int yoffset,
      int zoffset,
      int width,
      int height,
      int depth,
      int format,
      int imageSize,
      @In(bytes = "bytes", optional = true) long pixels,
      @Found long bytes,
      @Found long offset);

  /** OpenGL 1.0. */
  @Call(100)
  @Blocking
  @Custom(
      value = "pixels in the program's memory",
      prototype =
          "void glReadPixels(int x, int y, int width, int height, int format, int type, void"
              + " *pixels)",
      binding = true)
  int glReadPixels(
      int x,
      int y,
      int width,
      int height,
      int format,
      int type,
      @Out(bytes = "bytes", optional = true) long pixels,
      @Found long bytes,
      @Found long offset);

  /** OpenGL 1.0. */
  @Call(101)
  @Blocking
  @Custom(
      value = "pixels in the program's memory",
      prototype = "void glGetTexImage(int target, int level, int format, int type, void *pixels)",
      binding = true)
  int glGetTexImage(
      int target,
      int level,
      int format,
      int type,
      @Out(bytes = "bytes", optional = true) long pixels,
      @Found long bytes,
      @Found long offset);

  /** OpenGL 1.0. */
  @Call(102)
  @Async
  @Custom(
      value = "pixels in the program's memory",
      prototype =
          "void glBitmap(int width, int height, float xorig, float yorig, float xmove, float ymove,"
              + " const unsigned char *pixels)",
      binding = true)
  int glBitmap(
      int width,
      int height,
      float xorig,
      float yorig,
      float xmove,
      float ymove,
      @In(bytes = "bytes", optional = true) long pixels,
      @Found long bytes,
      @Found long offset);
}
