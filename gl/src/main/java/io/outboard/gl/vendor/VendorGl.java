// SPDX-License-Identifier: Apache-2.0
package io.outboard.gl.vendor;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.outboard.gl.GlResult;
import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Optional;

/**
 * The host's OpenGL, on the thread that makes the call. A client's lengths are compared with those
 * that the library is going to read or write; a call that does not fit is an error of OpenGL's for
 * the program.
 */
public final class VendorGl extends VendorEgl {
  private static final int MOST_STRINGS = 4096;
  private static final int PIXEL_PACK_BUFFER = 0x88ED;
  private static final int PIXEL_UNPACK_BUFFER = 0x88EF;
  private static final int ELEMENT_ARRAY_BUFFER = 0x8895;

  /** More than the uniforms of a block can be. */
  private static final int BLOCK_VALUES = 65_536;

  private static final int MAP_READ = 1;
  private static final int COLOR_INDEX = 0x1900;
  private static final int BITMAP = 0x1A00;
  private static final int TEXTURE_WIDTH = 0x1000;
  private static final int TEXTURE_HEIGHT = 0x1001;
  private static final int TEXTURE_DEPTH = 0x8071;
  private static final int FLOAT = 0x1406;
  private static final int INT = 0x1404;
  private static final int UNSIGNED_INT = 0x1405;
  private static final int UNIFORM_VALUES = 16;
  private static final int[] UNPACK = {0x0CF5, 0x0CF2, 0x806E, 0x0CF4, 0x0CF3, 0x806D};
  private static final int[] PACK = {0x0D05, 0x0D02, 0x806C, 0x0D04, 0x0D03, 0x806B};

  private final ThreadLocal<Own> own = ThreadLocal.withInitial(Own::new);
  private final Shown shown = new Shown(this);

  /** The state of a thread. */
  private static final class Own {
    final long place = Arena.ofAuto().allocate(8).address();
    int error;
  }

  /** Calls of the library whose arguments are made here. */
  private static final class Gl {
    static final MethodHandle INTEGER = words("glGetIntegerv", JAVA_INT, JAVA_LONG);
    static final MethodHandle SOURCE =
        words("glShaderSource", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    static final MethodHandle VARYINGS =
        words("glTransformFeedbackVaryings", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
    static final MethodHandle INDICES =
        words("glGetUniformIndices", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    static final MethodHandle UNMAP =
        downcall("glUnmapBuffer", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    static final MethodHandle MAP =
        downcall(
            "glMapBufferRange",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    static final MethodHandle STRING =
        downcall("glGetString", FunctionDescriptor.of(JAVA_LONG, JAVA_INT));
    static final MethodHandle STRING_AT =
        downcall("glGetStringi", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_INT));
    static final MethodHandle ERROR = downcall("glGetError", FunctionDescriptor.of(JAVA_INT));

    static MethodHandle words(String name, MemoryLayout... parameters) {
      return downcall(name, FunctionDescriptor.ofVoid(parameters));
    }
  }

  /** Calls whose arguments are a list. */
  private static final class Listed {
    static final MethodHandle TEX_IMAGE_1D = ints("glTexImage1D", 7);
    static final MethodHandle TEX_IMAGE_2D = ints("glTexImage2D", 8);
    static final MethodHandle TEX_IMAGE_3D = ints("glTexImage3D", 9);
    static final MethodHandle TEX_SUB_IMAGE_1D = ints("glTexSubImage1D", 6);
    static final MethodHandle TEX_SUB_IMAGE_2D = ints("glTexSubImage2D", 8);
    static final MethodHandle TEX_SUB_IMAGE_3D = ints("glTexSubImage3D", 10);
    static final MethodHandle DRAW_PIXELS = ints("glDrawPixels", 4);
    static final MethodHandle COMPRESSED_TEX_IMAGE_1D = ints("glCompressedTexImage1D", 6);
    static final MethodHandle COMPRESSED_TEX_IMAGE_2D = ints("glCompressedTexImage2D", 7);
    static final MethodHandle COMPRESSED_TEX_IMAGE_3D = ints("glCompressedTexImage3D", 8);
    static final MethodHandle COMPRESSED_TEX_SUB_IMAGE_1D = ints("glCompressedTexSubImage1D", 6);
    static final MethodHandle COMPRESSED_TEX_SUB_IMAGE_2D = ints("glCompressedTexSubImage2D", 8);
    static final MethodHandle COMPRESSED_TEX_SUB_IMAGE_3D = ints("glCompressedTexSubImage3D", 10);
    static final MethodHandle READ_PIXELS = ints("glReadPixels", 6);
    static final MethodHandle GET_TEX_IMAGE = ints("glGetTexImage", 4);
    static final MethodHandle LEVEL = ints("glGetTexLevelParameteriv", 3);
    static final MethodHandle UNIFORM_FLOAT = ints("glGetUniformfv", 2);
    static final MethodHandle UNIFORM_INT = ints("glGetUniformiv", 2);
    static final MethodHandle UNIFORM_UNSIGNED = ints("glGetUniformuiv", 2);
    static final MethodHandle BLOCK = ints("glGetActiveUniformBlockiv", 3);
    static final MethodHandle MULTI_DRAW =
        spread("glMultiDrawElements", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    static final MethodHandle MULTI_DRAW_BASE =
        of("glMultiDrawElementsBaseVertex", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    static final MethodHandle BITMAP =
        of("glBitmap", JAVA_INT, JAVA_INT, JAVA_FLOAT, JAVA_FLOAT, JAVA_FLOAT, JAVA_FLOAT);

    static MethodHandle ints(String name, int count) {
      MemoryLayout[] all = new MemoryLayout[count];
      Arrays.fill(all, JAVA_INT);
      return of(name, all);
    }

    static MethodHandle of(String name, MemoryLayout... before) {
      MemoryLayout[] all = Arrays.copyOf(before, before.length + 1);
      all[before.length] = JAVA_LONG;
      return spread(name, all);
    }

    static MethodHandle spread(String name, MemoryLayout... parameters) {
      FunctionDescriptor type = FunctionDescriptor.ofVoid(parameters);
      MethodHandle found = downcall(name, type);
      return found == null ? null : found.asSpreader(Object[].class, parameters.length);
    }

    /** Where the library has no such function, the result says so. */
    static int call(MethodHandle function, Object... arguments) {
      if (function == null) {
        return GlResult.INVALID_OPERATION;
      }
      try {
        function.invokeExact(arguments);
        return GlResult.SUCCESS;
      } catch (Throwable e) {
        throw new AssertionError("a native function does not throw", e);
      }
    }
  }

  private VendorGl(SymbolLookup library) {
    super(library);
  }

  /**
   * Loads the host's library.
   *
   * @throws IllegalArgumentException if it is not here
   */
  public static VendorGl load(String name) {
    return new VendorGl(new HostLibrary(name));
  }

  // ---- errors of this side

  /** Keeps an error for the program; the first one stays. */
  private int refuse(int error) {
    Own mine = own.get();
    mine.error = mine.error == 0 ? error : mine.error;
    return GlResult.SUCCESS;
  }

  @Override
  protected boolean isOffset(int binding) {
    boolean bound = integer(binding) != 0;
    if (!bound) {
      refuse(GlResult.INVALID_OPERATION);
    }
    return bound;
  }

  @Override
  public int glGetError(long error) {
    Own mine = own.get();
    Native.putInt(error, mine.error != 0 ? mine.error : hostError());
    mine.error = 0;
    return GlResult.SUCCESS;
  }

  /** The library's own error, which it forgets. */
  private static int hostError() {
    try {
      return (int) Gl.ERROR.invokeExact();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  // ---- images

  private PixelForm form(int[] names) {
    keepError();
    PixelForm form =
        new PixelForm(
            Math.max(1, integer(names[0])),
            integer(names[1]),
            integer(names[2]),
            integer(names[3]),
            integer(names[4]),
            integer(names[5]));
    hostError();
    return form;
  }

  /** Whether a buffer is bound; none is in a context that has no such buffers. */
  private boolean isBound(int binding) {
    keepError();
    boolean bound = integer(binding) != 0;
    hostError();
    return bound;
  }

  /** Keeps the program's error, before a figure is asked for that OpenGL ES 2 does not have. */
  private void keepError() {
    int error = hostError();
    if (error != 0) {
      refuse(error);
    }
  }

  /**
   * Whether the library can have what the client gives: bytes of its own, an offset into the buffer
   * that is bound, or nothing. Else keeps the error.
   *
   * @param needed bytes that the library will read or write from the address on
   */
  private boolean fits(int binding, long pixels, long bytes, long offset, long needed) {
    if (needed == PixelForm.UNKNOWN) {
      refuse(GlResult.INVALID_ENUM);
      return false;
    }
    boolean bound = isBound(binding);
    boolean fits = bound ? pixels == 0 : offset == 0 && (pixels == 0 || bytes >= needed);
    if (!fits) {
      refuse(GlResult.INVALID_OPERATION);
    }
    return fits;
  }

  private boolean reads(int[] size, int format, int type, long pixels, long bytes, long offset) {
    long needed = form(UNPACK).bytes(size[0], size[1], size[2], format, type);
    return fits(PIXEL_UNPACK_BUFFER, pixels, bytes, offset, needed);
  }

  @Override
  public int glTexImage1D(
      int target,
      int level,
      int internalformat,
      int width,
      int border,
      int format,
      int type,
      long pixels,
      long bytes,
      long offset) {
    int[] size = {width, 1, 1};
    return reads(size, format, type, pixels, bytes, offset)
        ? Listed.call(
            Listed.TEX_IMAGE_1D,
            target,
            level,
            internalformat,
            width,
            border,
            format,
            type,
            pixels + offset)
        : GlResult.SUCCESS;
  }

  @Override
  public int glTexImage2D(
      int target,
      int level,
      int internalformat,
      int width,
      int height,
      int border,
      int format,
      int type,
      long pixels,
      long bytes,
      long offset) {
    int[] size = {width, height, 1};
    return reads(size, format, type, pixels, bytes, offset)
        ? Listed.call(
            Listed.TEX_IMAGE_2D,
            target,
            level,
            internalformat,
            width,
            height,
            border,
            format,
            type,
            pixels + offset)
        : GlResult.SUCCESS;
  }

  @Override
  public int glTexImage3D(
      int target,
      int level,
      int internalformat,
      int width,
      int height,
      int depth,
      int border,
      int format,
      int type,
      long pixels,
      long bytes,
      long offset) {
    int[] size = {width, height, depth};
    return reads(size, format, type, pixels, bytes, offset)
        ? Listed.call(
            Listed.TEX_IMAGE_3D,
            target,
            level,
            internalformat,
            width,
            height,
            depth,
            border,
            format,
            type,
            pixels + offset)
        : GlResult.SUCCESS;
  }

  @Override
  public int glTexSubImage1D(
      int target,
      int level,
      int xoffset,
      int width,
      int format,
      int type,
      long pixels,
      long bytes,
      long offset) {
    int[] size = {width, 1, 1};
    return reads(size, format, type, pixels, bytes, offset)
        ? Listed.call(
            Listed.TEX_SUB_IMAGE_1D, target, level, xoffset, width, format, type, pixels + offset)
        : GlResult.SUCCESS;
  }

  @Override
  public int glTexSubImage2D(
      int target,
      int level,
      int xoffset,
      int yoffset,
      int width,
      int height,
      int format,
      int type,
      long pixels,
      long bytes,
      long offset) {
    int[] size = {width, height, 1};
    return reads(size, format, type, pixels, bytes, offset)
        ? Listed.call(
            Listed.TEX_SUB_IMAGE_2D,
            target,
            level,
            xoffset,
            yoffset,
            width,
            height,
            format,
            type,
            pixels + offset)
        : GlResult.SUCCESS;
  }

  @Override
  public int glTexSubImage3D(
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
      long pixels,
      long bytes,
      long offset) {
    int[] size = {width, height, depth};
    return reads(size, format, type, pixels, bytes, offset)
        ? Listed.call(
            Listed.TEX_SUB_IMAGE_3D,
            target,
            level,
            xoffset,
            yoffset,
            zoffset,
            width,
            height,
            depth,
            format,
            type,
            pixels + offset)
        : GlResult.SUCCESS;
  }

  @Override
  public int glDrawPixels(
      int width, int height, int format, int type, long pixels, long bytes, long offset) {
    int[] size = {width, height, 1};
    return reads(size, format, type, pixels, bytes, offset)
        ? Listed.call(Listed.DRAW_PIXELS, width, height, format, type, pixels + offset)
        : GlResult.SUCCESS;
  }

  @Override
  public int glCompressedTexImage1D(
      int target,
      int level,
      int internalformat,
      int width,
      int border,
      int imageSize,
      long pixels,
      long bytes,
      long offset) {
    return fits(PIXEL_UNPACK_BUFFER, pixels, bytes, offset, Math.max(0, imageSize))
        ? Listed.call(
            Listed.COMPRESSED_TEX_IMAGE_1D,
            target,
            level,
            internalformat,
            width,
            border,
            imageSize,
            pixels + offset)
        : GlResult.SUCCESS;
  }

  @Override
  public int glCompressedTexImage2D(
      int target,
      int level,
      int internalformat,
      int width,
      int height,
      int border,
      int imageSize,
      long pixels,
      long bytes,
      long offset) {
    return fits(PIXEL_UNPACK_BUFFER, pixels, bytes, offset, Math.max(0, imageSize))
        ? Listed.call(
            Listed.COMPRESSED_TEX_IMAGE_2D,
            target,
            level,
            internalformat,
            width,
            height,
            border,
            imageSize,
            pixels + offset)
        : GlResult.SUCCESS;
  }

  @Override
  public int glCompressedTexImage3D(
      int target,
      int level,
      int internalformat,
      int width,
      int height,
      int depth,
      int border,
      int imageSize,
      long pixels,
      long bytes,
      long offset) {
    return fits(PIXEL_UNPACK_BUFFER, pixels, bytes, offset, Math.max(0, imageSize))
        ? Listed.call(
            Listed.COMPRESSED_TEX_IMAGE_3D,
            target,
            level,
            internalformat,
            width,
            height,
            depth,
            border,
            imageSize,
            pixels + offset)
        : GlResult.SUCCESS;
  }

  @Override
  public int glCompressedTexSubImage1D(
      int target,
      int level,
      int xoffset,
      int width,
      int format,
      int imageSize,
      long pixels,
      long bytes,
      long offset) {
    return fits(PIXEL_UNPACK_BUFFER, pixels, bytes, offset, Math.max(0, imageSize))
        ? Listed.call(
            Listed.COMPRESSED_TEX_SUB_IMAGE_1D,
            target,
            level,
            xoffset,
            width,
            format,
            imageSize,
            pixels + offset)
        : GlResult.SUCCESS;
  }

  @Override
  public int glCompressedTexSubImage2D(
      int target,
      int level,
      int xoffset,
      int yoffset,
      int width,
      int height,
      int format,
      int imageSize,
      long pixels,
      long bytes,
      long offset) {
    return fits(PIXEL_UNPACK_BUFFER, pixels, bytes, offset, Math.max(0, imageSize))
        ? Listed.call(
            Listed.COMPRESSED_TEX_SUB_IMAGE_2D,
            target,
            level,
            xoffset,
            yoffset,
            width,
            height,
            format,
            imageSize,
            pixels + offset)
        : GlResult.SUCCESS;
  }

  @Override
  public int glCompressedTexSubImage3D(
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
      long pixels,
      long bytes,
      long offset) {
    return fits(PIXEL_UNPACK_BUFFER, pixels, bytes, offset, Math.max(0, imageSize))
        ? Listed.call(
            Listed.COMPRESSED_TEX_SUB_IMAGE_3D,
            target,
            level,
            xoffset,
            yoffset,
            zoffset,
            width,
            height,
            depth,
            format,
            imageSize,
            pixels + offset)
        : GlResult.SUCCESS;
  }

  @Override
  public int glBitmap(
      int width,
      int height,
      float xorig,
      float yorig,
      float xmove,
      float ymove,
      long pixels,
      long bytes,
      long offset) {
    int[] size = {width, height, 1};
    return reads(size, COLOR_INDEX, BITMAP, pixels, bytes, offset)
        ? Listed.call(Listed.BITMAP, width, height, xorig, yorig, xmove, ymove, pixels + offset)
        : GlResult.SUCCESS;
  }

  @Override
  public int glReadPixels(
      int x,
      int y,
      int width,
      int height,
      int format,
      int type,
      long pixels,
      long bytes,
      long offset) {
    long needed = form(PACK).bytes(width, height, 1, format, type);
    boolean given = pixels != 0 || isBound(PIXEL_PACK_BUFFER) || needed == 0;
    if (!given) {
      return refuse(GlResult.INVALID_OPERATION);
    }
    return fits(PIXEL_PACK_BUFFER, pixels, bytes, offset, needed)
        ? Listed.call(Listed.READ_PIXELS, x, y, width, height, format, type, pixels + offset)
        : GlResult.SUCCESS;
  }

  @Override
  public int glGetTexImage(
      int target, int level, int format, int type, long pixels, long bytes, long offset) {
    int width = level(target, level, TEXTURE_WIDTH);
    int height = level(target, level, TEXTURE_HEIGHT);
    int depth = level(target, level, TEXTURE_DEPTH);
    long needed = form(PACK).bytes(width, height, depth, format, type);
    boolean given = pixels != 0 || isBound(PIXEL_PACK_BUFFER) || needed == 0;
    if (!given) {
      return refuse(GlResult.INVALID_OPERATION);
    }
    return fits(PIXEL_PACK_BUFFER, pixels, bytes, offset, needed)
        ? Listed.call(Listed.GET_TEX_IMAGE, target, level, format, type, pixels + offset)
        : GlResult.SUCCESS;
  }

  /** A figure of a level of the texture that is bound. */
  private int level(int target, int level, int name) {
    long place = own.get().place;
    Native.putLong(place, 0);
    return Listed.call(Listed.LEVEL, target, level, name, place) == 0 ? Native.getInt(place) : 0;
  }

  // ---- texts

  @Override
  public int glGetString(int name, long text, int room) {
    return shown.text(name, text, room);
  }

  @Override
  public int glGetStringi(int name, int index, long text, int room) {
    return shown.textAt(name, index, text, room);
  }

  /** The library's own text, null if there is none. */
  String hostText(int name) {
    try {
      return string((long) Gl.STRING.invokeExact(name));
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** The library's own text of an index, null if there is none. */
  String hostTextAt(int name, int index) {
    try {
      return string((long) Gl.STRING_AT.invokeExact(name, index));
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static String string(long address) {
    return address == 0 ? null : Native.MEMORY.getString(address);
  }

  @Override
  public int glShaderSource(int shader, long source, int bytes) {
    try (Arena arena = Arena.ofConfined()) {
      long texts = arena.allocateFrom(JAVA_LONG, source).address();
      long lengths = arena.allocateFrom(JAVA_INT, bytes).address();
      Gl.SOURCE.invokeExact(shader, 1, texts, lengths);
      return GlResult.SUCCESS;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public int glTransformFeedbackVaryings(int program, int count, long names, int bytes, int mode) {
    try (Arena arena = Arena.ofConfined()) {
      long list = list(arena, count, names, bytes);
      if (list == 0) {
        return GlResult.INVALID_VALUE;
      }
      Gl.VARYINGS.invokeExact(program, count, list, mode);
      return GlResult.SUCCESS;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public int glGetUniformIndices(int program, int count, long names, int bytes, long indices) {
    try (Arena arena = Arena.ofConfined()) {
      long list = list(arena, count, names, bytes);
      if (list == 0) {
        return GlResult.INVALID_VALUE;
      }
      Gl.INDICES.invokeExact(program, count, list, indices);
      return GlResult.SUCCESS;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** The addresses of so many strings that follow each other; 0 where they are not so many. */
  private static long list(Arena arena, int count, long names, int bytes) {
    if (count < 0 || count > MOST_STRINGS) {
      return 0;
    }
    long list = arena.allocate(JAVA_LONG, count + 1L).address();
    long at = names;
    for (int i = 0; i < count; i++) {
      Native.putLong(list + 8L * i, at);
      while (at < names + bytes && Native.getByte(at) != 0) {
        at++;
      }
      if (at >= names + bytes) {
        return 0;
      }
      at++;
    }
    return list;
  }

  @Override
  public int glGetIntegerv(int name, long data, int many) {
    Optional<Integer> figure = shown.figure(name);
    if (figure.isPresent() && many > 0) {
      Native.putInt(data, figure.get());
      return GlResult.SUCCESS;
    }
    return super.glGetIntegerv(name, data, many);
  }

  // ---- buffers and uniforms

  @Override
  public int glMultiDrawElements(int mode, long count, int type, long indices, int drawcount) {
    return isOffset(ELEMENT_ARRAY_BUFFER)
        ? Listed.call(Listed.MULTI_DRAW, mode, count, type, indices, drawcount)
        : GlResult.SUCCESS;
  }

  @Override
  public int glMultiDrawElementsBaseVertex(
      int mode, long count, int type, long indices, int drawcount, long basevertex) {
    return isOffset(ELEMENT_ARRAY_BUFFER)
        ? Listed.call(Listed.MULTI_DRAW_BASE, mode, count, type, indices, drawcount, basevertex)
        : GlResult.SUCCESS;
  }

  @Override
  public int glGetActiveUniformBlockiv(int program, int index, int name, long values, int many) {
    if (many < 0 || many > MOST_STRINGS) {
      return GlResult.INVALID_VALUE;
    }
    try (Arena arena = Arena.ofConfined()) {
      long room = arena.allocate(JAVA_INT, BLOCK_VALUES).address();
      int done = Listed.call(Listed.BLOCK, program, index, name, room);
      Native.copy(room, values, 4L * many);
      return done;
    }
  }

  @Override
  public int outboardReadBuffer(int target, long offset, long data, long bytes) {
    try {
      long mapped = (long) Gl.MAP.invokeExact(target, offset, bytes, MAP_READ);
      if (mapped == 0) {
        return GlResult.SUCCESS;
      }
      Native.copy(mapped, data, bytes);
      int unused = (int) Gl.UNMAP.invokeExact(target);
      return GlResult.SUCCESS;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public int outboardGetUniform(int program, int location, int type, long values, long count) {
    MethodHandle read =
        switch (type) {
          case FLOAT -> Listed.UNIFORM_FLOAT;
          case INT -> Listed.UNIFORM_INT;
          case UNSIGNED_INT -> Listed.UNIFORM_UNSIGNED;
          default -> null;
        };
    if (read == null) {
      return GlResult.INVALID_ENUM;
    }
    // A byte that the library writes differs from one of both fillings.
    int most = 0;
    for (byte filling : new byte[] {0, -1}) {
      Native.fill(values, UNIFORM_VALUES * 4, filling);
      Listed.call(read, program, location, values);
      int end = UNIFORM_VALUES;
      while (end > 0 && Native.getInt(values + 4L * (end - 1)) == filling) {
        end--;
      }
      most = Math.max(most, end);
    }
    Native.putInt(count, most);
    return GlResult.SUCCESS;
  }

  /** A figure of the context. */
  int integer(int name) {
    long place = own.get().place;
    Native.putLong(place, 0);
    try {
      Gl.INTEGER.invokeExact(name, place);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    return Native.getInt(place);
  }
}
