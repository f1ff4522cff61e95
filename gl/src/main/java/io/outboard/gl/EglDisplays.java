// SPDX-License-Identifier: Apache-2.0
package io.outboard.gl;

import static io.outboard.gl.GlKinds.CONFIG;
import static io.outboard.gl.GlKinds.DEVICE;
import static io.outboard.gl.GlKinds.DISPLAY;
import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.spec.Blocking;
import io.outboard.spec.CString;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.Found;
import io.outboard.spec.Handle;
import io.outboard.spec.In;
import io.outboard.spec.Out;
import io.outboard.spec.Within;

/** Devices, displays and their configurations; EGL 1.5, sections 3.2 to 3.4, and extensions. */
public interface EglDisplays {
  /** {@code EGL_EXT_device_enumeration}. */
  @Call(1)
  @Custom(
      value = "a function of EGL",
      prototype = "unsigned eglQueryDevicesEXT(int room, EGLDeviceEXT *devices, int *count)",
      binding = true)
  int eglQueryDevicesEXT(
      int room,
      @Out(value = LONG, count = "room", optional = true) @Handle(DEVICE) long devices,
      @Out(INT) @Within("devices") long count);

  /**
   * {@code EGL_EXT_device_query}. The text of a name that the host's EGL does not know is empty.
   *
   * @param room bytes that there are for the text, with its NUL
   */
  @Call(2)
  @Custom(
      value = "a function of EGL",
      prototype = "const char *eglQueryDeviceStringEXT(EGLDeviceEXT device, int name)",
      binding = true)
  int eglQueryDeviceStringEXT(
      @Handle(DEVICE) long device,
      int name,
      @CString @Out(bytes = "room") long text,
      @Found int room);

  /**
   * The display of a device, or without one of no device at all ({@code
   * EGL_MESA_platform_surfaceless}; where the host's EGL lacks it, of the first device).
   */
  @Call(3)
  @Custom(
      value = "a function of EGL",
      prototype =
          "EGLDisplay eglGetPlatformDisplay(int platform, void *native, const intptr_t"
              + " *attributes)",
      binding = true)
  int eglGetPlatformDisplay(@Handle(DEVICE) long device, @Out(LONG) @Handle(DISPLAY) long display);

  /** Initialises a display. */
  @Call(4)
  @Blocking
  @Custom(
      value = "a function of EGL",
      prototype = "unsigned eglInitialize(EGLDisplay display, int *major, int *minor)",
      binding = true)
  int eglInitialize(@Handle(DISPLAY) long display, @Out(INT) long major, @Out(INT) long minor);

  /** Ends what a display has; contexts that are current stay until they are no more. */
  @Call(5)
  @Custom(
      value = "a function of EGL",
      prototype = "unsigned eglTerminate(EGLDisplay display)",
      binding = true)
  int eglTerminate(@Handle(DISPLAY) long display);

  /**
   * A text about a display.
   *
   * @param room bytes that there are for the text, with its NUL
   */
  @Call(6)
  @Custom(
      value = "a function of EGL",
      prototype = "const char *eglQueryString(EGLDisplay display, int name)",
      binding = true)
  int eglQueryString(
      @Handle(DISPLAY) long display,
      int name,
      @CString @Out(bytes = "room") long text,
      @Found int room);

  /** All configurations. */
  @Call(7)
  @Custom(
      value = "a function of EGL",
      prototype =
          "unsigned eglGetConfigs(EGLDisplay display, EGLConfig *configs, int room, int *count)",
      binding = true)
  int eglGetConfigs(
      @Handle(DISPLAY) long display,
      @Out(value = LONG, count = "room", optional = true) @Handle(CONFIG) long configs,
      int room,
      @Out(INT) @Within("configs") long count);

  /**
   * The configurations that fit.
   *
   * @param length of the list, with its end
   */
  @Call(8)
  @Custom(
      value = "a function of EGL",
      prototype =
          "unsigned eglChooseConfig(EGLDisplay display, const int *attributes, EGLConfig *configs,"
              + " int room, int *count)",
      binding = true)
  int eglChooseConfig(
      @Handle(DISPLAY) long display,
      @In(value = INT, count = "length") long attributes,
      @Found int length,
      @Out(value = LONG, count = "room", optional = true) @Handle(CONFIG) long configs,
      int room,
      @Out(INT) @Within("configs") long count);

  /** A figure of a configuration. */
  @Call(9)
  @Custom(
      value = "a function of EGL",
      prototype =
          "unsigned eglGetConfigAttrib(EGLDisplay display, EGLConfig config, int attribute, int"
              + " *value)",
      binding = true)
  int eglGetConfigAttrib(
      @Handle(DISPLAY) long display,
      @Handle(CONFIG) long config,
      int attribute,
      @Out(INT) long value);

  /** The device behind a display. */
  @Call(10)
  @Custom("a call of our own: an attribute of EGL_EXT_device_query that is an object")
  int outboardDisplayDevice(@Handle(DISPLAY) long display, @Out(LONG) @Handle(DEVICE) long device);
}
