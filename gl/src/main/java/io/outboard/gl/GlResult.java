// SPDX-License-Identifier: Apache-2.0
package io.outboard.gl;

/**
 * Errors, as far as Outboard returns them itself: OpenGL 4.6, section 2.3.1, and EGL 1.5, section
 * 3.1. The numbers of the two do not meet, so that a call has one result.
 */
public final class GlResult {
  /** It worked. */
  public static final int SUCCESS = 0;

  /** {@code GL_INVALID_ENUM}. */
  public static final int INVALID_ENUM = 0x500;

  /** {@code GL_INVALID_VALUE}: an argument is out of its range. */
  public static final int INVALID_VALUE = 0x501;

  /** {@code GL_INVALID_OPERATION}: not now, or not here. */
  public static final int INVALID_OPERATION = 0x502;

  /** {@code GL_OUT_OF_MEMORY}. */
  public static final int OUT_OF_MEMORY = 0x505;

  /** {@code EGL_SUCCESS}, which EGL alone has a number for. */
  public static final int EGL_SUCCESS = 0x3000;

  /** {@code EGL_NOT_INITIALIZED}. */
  public static final int NOT_INITIALIZED = 0x3001;

  /** {@code EGL_BAD_ALLOC}. */
  public static final int BAD_ALLOC = 0x3003;

  /** {@code EGL_BAD_CONFIG}. */
  public static final int BAD_CONFIG = 0x3005;

  /** {@code EGL_BAD_CONTEXT}. */
  public static final int BAD_CONTEXT = 0x3006;

  /** {@code EGL_BAD_DISPLAY}. */
  public static final int BAD_DISPLAY = 0x3008;

  /** {@code EGL_BAD_MATCH}. */
  public static final int BAD_MATCH = 0x3009;

  /** {@code EGL_BAD_PARAMETER}. */
  public static final int BAD_PARAMETER = 0x300C;

  /** {@code EGL_BAD_SURFACE}. */
  public static final int BAD_SURFACE = 0x300D;

  /** {@code EGL_CONTEXT_LOST}: there is no backend. */
  public static final int CONTEXT_LOST = 0x300E;

  /** {@code EGL_BAD_DEVICE_EXT}. */
  public static final int BAD_DEVICE = 0x322B;

  private GlResult() {}
}
