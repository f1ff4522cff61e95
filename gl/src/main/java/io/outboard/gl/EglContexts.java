// SPDX-License-Identifier: Apache-2.0
package io.outboard.gl;

import static io.outboard.gl.GlKinds.CONFIG;
import static io.outboard.gl.GlKinds.CONTEXT;
import static io.outboard.gl.GlKinds.DISPLAY;
import static io.outboard.gl.GlKinds.SURFACE;
import static io.outboard.spec.Handle.Life.CREATE;
import static io.outboard.spec.Handle.Life.DESTROY;
import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.Found;
import io.outboard.spec.Handle;
import io.outboard.spec.In;
import io.outboard.spec.Local;
import io.outboard.spec.Out;

/** Contexts and surfaces; EGL 1.5, sections 3.5 to 3.7. */
public interface EglContexts {
  /**
   * Makes a context.
   *
   * @param length of the list, with its end
   * @param api the API that is bound to the program's thread, {@code EGL_OPENGL_API} for example
   */
  @Call(20)
  @Custom(
      value = "a function of EGL",
      prototype =
          "EGLContext eglCreateContext(EGLDisplay display, EGLConfig config, EGLContext share,"
              + " const int *attributes)",
      binding = true)
  int eglCreateContext(
      @Handle(DISPLAY) long display,
      @Handle(CONFIG) long config,
      @Handle(CONTEXT) long share,
      @In(value = INT, count = "length") long attributes,
      @Found int length,
      @Found int api,
      @Out(LONG) @Handle(value = CONTEXT, life = CREATE) long context);

  /** Ends a context, which stays where it is current until it is so no more. */
  @Call(21)
  @Custom(
      value = "a function of EGL",
      prototype = "unsigned eglDestroyContext(EGLDisplay display, EGLContext context)",
      binding = true)
  int eglDestroyContext(
      @Handle(DISPLAY) long display, @Handle(value = CONTEXT, life = DESTROY) long context);

  /**
   * Makes a surface without a window.
   *
   * @param length of the list, with its end
   */
  @Call(22)
  @Custom(
      value = "a function of EGL",
      prototype =
          "EGLSurface eglCreatePbufferSurface(EGLDisplay display, EGLConfig config, const int"
              + " *attributes)",
      binding = true)
  int eglCreatePbufferSurface(
      @Handle(DISPLAY) long display,
      @Handle(CONFIG) long config,
      @In(value = INT, count = "length") long attributes,
      @Found int length,
      @Out(LONG) @Handle(value = SURFACE, life = CREATE) long surface);

  /** Ends a surface. */
  @Call(23)
  @Custom(
      value = "a function of EGL",
      prototype = "unsigned eglDestroySurface(EGLDisplay display, EGLSurface surface)",
      binding = true)
  int eglDestroySurface(
      @Handle(DISPLAY) long display, @Handle(value = SURFACE, life = DESTROY) long surface);

  /**
   * Makes a context current to the executing thread, or none.
   *
   * @param api as of {@link #eglCreateContext}; where there is no context, it is that whose context
   *     is let go
   */
  @Call(24)
  @Custom(
      value = "a function of EGL",
      prototype =
          "unsigned eglMakeCurrent(EGLDisplay display, EGLSurface draw, EGLSurface read, EGLContext"
              + " context)",
      binding = true)
  int eglMakeCurrent(
      @Handle(DISPLAY) long display,
      @Handle(SURFACE) long draw,
      @Handle(SURFACE) long read,
      @Handle(CONTEXT) long context,
      @Found int api);

  /** A figure of a context. */
  @Call(25)
  @Custom(
      value = "a function of EGL",
      prototype =
          "unsigned eglQueryContext(EGLDisplay display, EGLContext context, int attribute, int"
              + " *value)",
      binding = true)
  int eglQueryContext(
      @Handle(DISPLAY) long display,
      @Handle(CONTEXT) long context,
      int attribute,
      @Out(INT) long value);

  /** A figure of a surface. */
  @Call(26)
  @Custom(
      value = "a function of EGL",
      prototype =
          "unsigned eglQuerySurface(EGLDisplay display, EGLSurface surface, int attribute, int"
              + " *value)",
      binding = true)
  int eglQuerySurface(
      @Handle(DISPLAY) long display,
      @Handle(SURFACE) long surface,
      int attribute,
      @Out(INT) long value);

  /** Changes a surface. */
  @Call(27)
  @Custom(
      value = "a function of EGL",
      prototype =
          "unsigned eglSurfaceAttrib(EGLDisplay display, EGLSurface surface, int attribute, int"
              + " value)",
      binding = true)
  int eglSurfaceAttrib(
      @Handle(DISPLAY) long display, @Handle(SURFACE) long surface, int attribute, int value);

  /** Of a surface without a window: a flush, and no more. */
  @Call(28)
  @Custom(
      value = "a function of EGL",
      prototype = "unsigned eglSwapBuffers(EGLDisplay display, EGLSurface surface)",
      binding = true)
  int eglSwapBuffers(@Handle(DISPLAY) long display, @Handle(SURFACE) long surface);

  /** The last error of the thread: the frontend keeps it. */
  @Local(prototype = "int eglGetError(void)")
  default int eglGetError() {
    return GlResult.EGL_SUCCESS;
  }

  /** The system's {@code libEGL} keeps it. */
  @Local(prototype = "unsigned eglBindAPI(int api)")
  default int eglBindAPI() {
    return GlResult.SUCCESS;
  }

  /** A {@code glFinish}. */
  @Local(prototype = "unsigned eglWaitClient(void)")
  default int eglWaitClient() {
    return GlResult.SUCCESS;
  }

  /** A {@code glFinish}. */
  @Local(prototype = "unsigned eglWaitGL(void)")
  default int eglWaitGL() {
    return GlResult.SUCCESS;
  }

  /** There is nothing native to wait for. */
  @Local(prototype = "unsigned eglWaitNative(int engine)")
  default int eglWaitNative() {
    return GlResult.SUCCESS;
  }

  /** Lets the thread's context go. */
  @Local(prototype = "unsigned eglReleaseThread(void)")
  default int eglReleaseThread() {
    return GlResult.SUCCESS;
  }

  /** Of windows alone. */
  @Local(prototype = "unsigned eglSwapInterval(EGLDisplay display, int interval)")
  default int eglSwapInterval() {
    return GlResult.SUCCESS;
  }

  /** Pixmaps are refused. */
  @Local(
      prototype = "unsigned eglCopyBuffers(EGLDisplay display, EGLSurface surface, void *pixmap)")
  default int eglCopyBuffers() {
    return GlResult.BAD_MATCH;
  }

  /** Surfaces are no textures. */
  @Local(prototype = "unsigned eglBindTexImage(EGLDisplay display, EGLSurface surface, int buffer)")
  default int eglBindTexImage() {
    return GlResult.BAD_MATCH;
  }

  /** Surfaces are no textures. */
  @Local(
      prototype = "unsigned eglReleaseTexImage(EGLDisplay display, EGLSurface surface, int buffer)")
  default int eglReleaseTexImage() {
    return GlResult.BAD_MATCH;
  }

  /** Of OpenVG alone. */
  @Local(
      prototype =
          "EGLSurface eglCreatePbufferFromClientBuffer(EGLDisplay display, int type, void *buffer,"
              + " EGLConfig config, const int *attributes)")
  default int eglCreatePbufferFromClientBuffer() {
    return GlResult.BAD_MATCH;
  }

  /** Windows are refused. */
  @Local(
      prototype =
          "EGLSurface eglCreateWindowSurface(EGLDisplay display, EGLConfig config, void *window,"
              + " const int *attributes)")
  default int eglCreateWindowSurface() {
    return GlResult.BAD_MATCH;
  }

  /** Windows are refused. */
  @Local(
      prototype =
          "EGLSurface eglCreatePlatformWindowSurface(EGLDisplay display, EGLConfig config, void"
              + " *window, const intptr_t *attributes)")
  default int eglCreatePlatformWindowSurface() {
    return GlResult.BAD_MATCH;
  }

  /** Pixmaps are refused. */
  @Local(
      prototype =
          "EGLSurface eglCreatePixmapSurface(EGLDisplay display, EGLConfig config, void *pixmap,"
              + " const int *attributes)")
  default int eglCreatePixmapSurface() {
    return GlResult.BAD_MATCH;
  }

  /** Pixmaps are refused. */
  @Local(
      prototype =
          "EGLSurface eglCreatePlatformPixmapSurface(EGLDisplay display, EGLConfig config, void"
              + " *pixmap, const intptr_t *attributes)")
  default int eglCreatePlatformPixmapSurface() {
    return GlResult.BAD_MATCH;
  }

  /** The device of a display, and no other attribute. */
  @Local(
      prototype =
          "unsigned eglQueryDisplayAttribEXT(EGLDisplay display, int attribute, intptr_t *value)")
  default int eglQueryDisplayAttribEXT() {
    return GlResult.BAD_MATCH;
  }

  /** No attribute is known. */
  @Local(
      prototype =
          "unsigned eglQueryDeviceAttribEXT(EGLDeviceEXT device, int attribute, intptr_t *value)")
  default int eglQueryDeviceAttribEXT() {
    return GlResult.BAD_MATCH;
  }
}
