// SPDX-License-Identifier: Apache-2.0
package io.outboard.gl.vendor;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.outboard.gl.GlDriverNative;
import io.outboard.gl.GlResult;
import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/** EGL, whose functions return what they make, or whether they have succeeded. */
abstract class VendorEgl extends GlDriverNative {
  private static final int TRUE = 1;
  private static final int PLATFORM_DEVICE = 0x313F;
  private static final int PLATFORM_SURFACELESS = 0x31DD;
  private static final int DEVICE_EXT = 0x322C;

  /** Ends a list. */
  private static final int NONE = 0x3038;

  /** A function of EGL, of words and returning one. */
  private static final class Function {
    private final MethodHandle handle;

    Function(String name, MemoryLayout... parameters) {
      MethodHandle found = downcall(name, FunctionDescriptor.of(JAVA_LONG, parameters));
      handle = found == null ? null : found.asSpreader(Object[].class, parameters.length);
    }

    /** Returns 0, which means failure, where the library has no such function. */
    long call(Object... arguments) {
      try {
        return handle == null ? 0 : (long) handle.invokeExact(arguments);
      } catch (Throwable e) {
        throw new AssertionError("a native function does not throw", e);
      }
    }
  }

  /** Looked up when the first call of EGL comes, once the library is bound. */
  private static final class Egl {
    static final Function ERROR = new Function("eglGetError");
    static final Function BIND = new Function("eglBindAPI", JAVA_INT);
    static final Function DEVICES =
        new Function("eglQueryDevicesEXT", JAVA_INT, JAVA_LONG, JAVA_LONG);
    static final Function DEVICE_STRING =
        new Function("eglQueryDeviceStringEXT", JAVA_LONG, JAVA_INT);
    static final Function DISPLAY_ATTRIBUTE =
        new Function("eglQueryDisplayAttribEXT", JAVA_LONG, JAVA_INT, JAVA_LONG);
    static final Function DISPLAY =
        new Function("eglGetPlatformDisplay", JAVA_INT, JAVA_LONG, JAVA_LONG);
    static final Function INITIALIZE =
        new Function("eglInitialize", JAVA_LONG, JAVA_LONG, JAVA_LONG);
    static final Function TERMINATE = new Function("eglTerminate", JAVA_LONG);
    static final Function STRING = new Function("eglQueryString", JAVA_LONG, JAVA_INT);
    static final Function CONFIGS =
        new Function("eglGetConfigs", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
    static final Function CHOOSE =
        new Function("eglChooseConfig", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
    static final Function CONFIG =
        new Function("eglGetConfigAttrib", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
    static final Function CREATE =
        new Function("eglCreateContext", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    static final Function DESTROY = new Function("eglDestroyContext", JAVA_LONG, JAVA_LONG);
    static final Function PBUFFER =
        new Function("eglCreatePbufferSurface", JAVA_LONG, JAVA_LONG, JAVA_LONG);
    static final Function SURFACE_END = new Function("eglDestroySurface", JAVA_LONG, JAVA_LONG);
    static final Function CURRENT =
        new Function("eglMakeCurrent", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    static final Function CONTEXT =
        new Function("eglQueryContext", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
    static final Function SURFACE =
        new Function("eglQuerySurface", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
    static final Function SURFACE_SET =
        new Function("eglSurfaceAttrib", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT);
    static final Function SWAP = new Function("eglSwapBuffers", JAVA_LONG, JAVA_LONG);
    static final Function RELEASE = new Function("eglReleaseThread");
    static final Function GET_CURRENT = new Function("eglGetCurrentContext");
  }

  /** Whether a context is current to the executing thread. */
  static boolean isCurrent() {
    return Egl.GET_CURRENT.call() != 0;
  }

  VendorEgl(SymbolLookup library) {
    super(library);
  }

  /** The result of a function that says whether it has succeeded. */
  private static int result(long returned) {
    return (int) returned == TRUE ? GlResult.SUCCESS : error();
  }

  private static int error() {
    int error = (int) Egl.ERROR.call();
    return error == GlResult.EGL_SUCCESS ? GlResult.BAD_MATCH : error;
  }

  private static int made(long object, long place) {
    if (object == 0) {
      return error();
    }
    Native.putLong(place, object);
    return GlResult.SUCCESS;
  }

  /** Copies a text of the host's library, as much as there is room for; none is an empty one. */
  static int text(long from, long to, int room) {
    if (room < 1) {
      return GlResult.INVALID_VALUE;
    }
    int bytes = 0;
    for (; from != 0 && bytes < room - 1 && Native.getByte(from + bytes) != 0; bytes++) {
      Native.putByte(to + bytes, Native.getByte(from + bytes));
    }
    Native.putByte(to + bytes, (byte) 0);
    return GlResult.SUCCESS;
  }

  /** Whether a list of pairs ends where the client says. */
  private static boolean ends(long list, int length) {
    return length % 2 == 1 && Native.getInt(list + 4L * (length - 1)) == NONE;
  }

  /** The executing thread ends what it has of EGL, its context before all. */
  public static void releaseThread() {
    long unused = Egl.RELEASE.call();
  }

  @Override
  public int eglQueryDevicesEXT(int room, long devices, long count) {
    return result(Egl.DEVICES.call(room, devices, count));
  }

  @Override
  public int eglQueryDeviceStringEXT(long device, int name, long text, int room) {
    return text(Egl.DEVICE_STRING.call(device, name), text, room);
  }

  @Override
  public int outboardDisplayDevice(long display, long device) {
    return result(Egl.DISPLAY_ATTRIBUTE.call(display, DEVICE_EXT, device));
  }

  @Override
  public int eglGetPlatformDisplay(long device, long display) {
    if (device != 0) {
      return made(Egl.DISPLAY.call(PLATFORM_DEVICE, device, 0L), display);
    }
    long none = Egl.DISPLAY.call(PLATFORM_SURFACELESS, 0L, 0L);
    return made(none != 0 ? none : displayOfFirstDevice(), display);
  }

  private long displayOfFirstDevice() {
    try (Arena arena = Arena.ofConfined()) {
      long device = arena.allocate(JAVA_LONG).address();
      long count = arena.allocate(JAVA_INT).address();
      boolean any = result(Egl.DEVICES.call(1, device, count)) == 0 && Native.getInt(count) > 0;
      return any ? Egl.DISPLAY.call(PLATFORM_DEVICE, Native.getLong(device), 0L) : 0;
    }
  }

  @Override
  public int eglInitialize(long display, long major, long minor) {
    return result(Egl.INITIALIZE.call(display, major, minor));
  }

  @Override
  public int eglTerminate(long display) {
    return result(Egl.TERMINATE.call(display));
  }

  @Override
  public int eglQueryString(long display, int name, long text, int room) {
    long found = Egl.STRING.call(display, name);
    return found == 0 ? error() : text(found, text, room);
  }

  @Override
  public int eglGetConfigs(long display, long configs, int room, long count) {
    return result(Egl.CONFIGS.call(display, configs, room, count));
  }

  @Override
  public int eglChooseConfig(
      long display, long attributes, int length, long configs, int room, long count) {
    return ends(attributes, length)
        ? result(Egl.CHOOSE.call(display, attributes, configs, room, count))
        : GlResult.BAD_PARAMETER;
  }

  @Override
  public int eglGetConfigAttrib(long display, long config, int attribute, long value) {
    return result(Egl.CONFIG.call(display, config, attribute, value));
  }

  @Override
  public int eglCreateContext(
      long display, long config, long share, long attributes, int length, int api, long context) {
    if (!ends(attributes, length)) {
      return GlResult.BAD_PARAMETER;
    }
    int bound = result(Egl.BIND.call(api));
    return bound != 0 ? bound : made(Egl.CREATE.call(display, config, share, attributes), context);
  }

  @Override
  public int eglDestroyContext(long display, long context) {
    return result(Egl.DESTROY.call(display, context));
  }

  @Override
  public int eglCreatePbufferSurface(
      long display, long config, long attributes, int length, long surface) {
    return ends(attributes, length)
        ? made(Egl.PBUFFER.call(display, config, attributes), surface)
        : GlResult.BAD_PARAMETER;
  }

  @Override
  public int eglDestroySurface(long display, long surface) {
    return result(Egl.SURFACE_END.call(display, surface));
  }

  @Override
  public int eglMakeCurrent(long display, long draw, long read, long context, int api) {
    int bound = result(Egl.BIND.call(api));
    return bound != 0 ? bound : result(Egl.CURRENT.call(display, draw, read, context));
  }

  @Override
  public int eglQueryContext(long display, long context, int attribute, long value) {
    return result(Egl.CONTEXT.call(display, context, attribute, value));
  }

  @Override
  public int eglQuerySurface(long display, long surface, int attribute, long value) {
    return result(Egl.SURFACE.call(display, surface, attribute, value));
  }

  @Override
  public int eglSurfaceAttrib(long display, long surface, int attribute, int value) {
    return result(Egl.SURFACE_SET.call(display, surface, attribute, value));
  }

  @Override
  public int eglSwapBuffers(long display, long surface) {
    return result(Egl.SWAP.call(display, surface));
  }
}
