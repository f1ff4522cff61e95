// SPDX-License-Identifier: Apache-2.0
package io.outboard.gl;

import io.outboard.spec.Holds;
import io.outboard.spec.Kind;
import io.outboard.spec.Library;
import io.outboard.spec.Results;

/**
 * OpenGL without a window: EGL 1.5 and the functions of OpenGL and OpenGL ES, after Khronos'
 * registry. Programs load it as a vendor of the system's {@code libEGL.so.1} (libglvnd).
 *
 * <p>Methods have the vendor's names and order of parameters, and return an error of EGL or of
 * {@link GlResult}; what OpenGL itself finds wrong is an answer of {@code glGetError}. The context
 * of a call is the one that is current to the executing thread.
 */
@Library(
    name = "gl",
    id = 5,
    soname = "libEGL.so.1",
    keepsResults = true,
    kinds = {
      @Kind(
          id = GlKinds.DISPLAY,
          name = "display",
          type = "EGLDisplay",
          holds = Holds.NOTHING,
          invalid = GlResult.BAD_DISPLAY),
      @Kind(
          id = GlKinds.DEVICE,
          name = "device",
          type = "EGLDeviceEXT",
          holds = Holds.NOTHING,
          invalid = GlResult.BAD_DEVICE,
          specials = 0),
      @Kind(
          id = GlKinds.CONFIG,
          name = "config",
          type = "EGLConfig",
          holds = Holds.NOTHING,
          invalid = GlResult.BAD_CONFIG,
          specials = 0),
      @Kind(
          id = GlKinds.CONTEXT,
          name = "context",
          type = "EGLContext",
          holds = Holds.NOTHING,
          invalid = GlResult.BAD_CONTEXT,
          specials = 0),
      @Kind(
          id = GlKinds.SURFACE,
          name = "surface",
          type = "EGLSurface",
          holds = Holds.NOTHING,
          invalid = GlResult.BAD_SURFACE,
          specials = 0),
      @Kind(
          id = GlKinds.SYNC,
          name = "sync",
          type = "GLsync",
          holds = Holds.NOTHING,
          invalid = GlResult.INVALID_VALUE)
    },
    results =
        @Results(
            invalidValue = GlResult.INVALID_VALUE,
            notSupported = GlResult.INVALID_OPERATION,
            notInitialized = GlResult.NOT_INITIALIZED,
            unavailable = GlResult.CONTEXT_LOST,
            outOfMemory = GlResult.OUT_OF_MEMORY))
public interface GlDriver
    extends EglDisplays,
        EglContexts,
        GlPixels,
        GlTexts,
        GlMaps,
        GlArrays,
        GlFixed,
        Gl1,
        Gl2,
        Gl3,
        Gl4,
        GlEs {}
