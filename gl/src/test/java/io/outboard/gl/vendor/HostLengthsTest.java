// SPDX-License-Identifier: Apache-2.0
package io.outboard.gl.vendor;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.gl.GlResult;
import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A client that lies about lengths gets an error of OpenGL's, and the host's library neither reads
 * nor writes beyond what there is: behind it lies memory that nobody may touch. Only where the host
 * has OpenGL without a window.
 */
final class HostLengthsTest {
  private static final int OPENGL = 0x30A2;
  private static final int NONE = 0x3038;
  private static final int TEXTURE = 0x0DE1;
  private static final int RGBA = 0x1908;
  private static final int BYTES = 0x1401;
  private static final int UNPACK_BUFFER = 0x88EC;
  private static final int PAGE = 4096;
  private static final int ROOM = 16 * PAGE;
  private static final int PROTECTED = 0;
  private static final int READ_WRITE = 3;
  private static final int PRIVATE_ANONYMOUS = 0x22;
  private static final int[] FORMATS = {
    0x1900, 0x1901, 0x1902, 0x1903, 0x1906, 0x1907, 0x1908, 0x1909, 0x190A, 0x8227, 0x8228, 0x80E0,
    0x80E1, 0x84F9, 0x8D94, 0x8D98, 0x8D99, 0x1234
  };
  private static final int[] TYPES = {
    0x1400, 0x1401, 0x1402, 0x1403, 0x1404, 0x1405, 0x1406, 0x140B, 0x1A00, 0x8032, 0x8033, 0x8035,
    0x8362, 0x8363, 0x8367, 0x8368, 0x84FA, 0x8C3B, 0x8C3E, 0x8DAD, 0x1234
  };
  private static final int[] STORES = {
    0x0CF2, 0x0CF3, 0x0CF4, 0x0CF5, 0x806D, 0x806E, 0x0D02, 0x0D03, 0x0D04, 0x0D05, 0x806B, 0x806C
  };

  /** Of what is read, and of what is written. */
  private static final Set<Integer> ALIGNMENTS = Set.of(0x0CF5, 0x0D05);

  private static VendorGl gl;
  private static Arena arena;
  private static long place;
  private static long end;

  /** A context without a surface, current to this thread. */
  @BeforeAll
  static void begin() {
    try {
      gl = VendorGl.load("libEGL.so.1");
    } catch (IllegalArgumentException e) {
      assumeTrue(false, "this machine has no OpenGL: " + e.getMessage());
    }
    arena = Arena.ofShared();
    place = arena.allocate(PAGE).address();
    boolean there = gl.eglGetPlatformDisplay(0, place) == 0;
    long display = Native.getLong(place);
    assumeTrue(
        there && gl.eglInitialize(display, place, place + 4) == 0,
        "this machine has no OpenGL: no display");
    long list = arena.allocateFrom(JAVA_INT, NONE).address();
    assertEquals(0, gl.eglCreateContext(display, 0, 0, list, 1, OPENGL, place));
    long context = Native.getLong(place);
    assertEquals(0, gl.eglMakeCurrent(display, 0, 0, context, OPENGL));
    end = guarded();
  }

  @AfterAll
  static void end() {
    if (arena != null) {
      VendorEgl.releaseThread();
      arena.close();
    }
  }

  /** How images lie in memory, as it is at first: one test changes it. */
  @AfterEach
  void restore() {
    for (int store : STORES) {
      gl.glPixelStorei(store, ALIGNMENTS.contains(store) ? 4 : 0);
    }
    noError();
  }

  /** The end of memory behind which nobody may read or write. */
  private static long guarded() {
    try {
      Linker linker = Linker.nativeLinker();
      MemorySegment map = linker.defaultLookup().find("mmap").orElseThrow();
      MemorySegment protect = linker.defaultLookup().find("mprotect").orElseThrow();
      FunctionDescriptor mapping =
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
      long from =
          (long)
              linker
                  .downcallHandle(map, mapping)
                  .invokeExact(0L, (long) ROOM + PAGE, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0L);
      int done =
          (int)
              linker
                  .downcallHandle(
                      protect, FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT))
                  .invokeExact(from + ROOM, (long) PAGE, PROTECTED);
      assertEquals(0, done);
      return from + ROOM;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static int error() {
    assertEquals(0, gl.glGetError(place));
    return Native.getInt(place);
  }

  private static void noError() {
    while (error() != 0) {
      // Those of earlier calls.
    }
  }

  private static int name(int made) {
    assertEquals(0, made);
    return Native.getInt(place);
  }

  @Test
  void aShortImageIsRefused() {
    int texture = name(gl.glGenTextures(1, place));
    gl.glBindTexture(TEXTURE, texture);
    noError();
    gl.glTexImage2D(TEXTURE, 0, RGBA, 8, 8, 0, RGBA, BYTES, end - 256, 256, 0);
    assertEquals(0, error());
    gl.glTexImage2D(TEXTURE, 0, RGBA, 8, 8, 0, RGBA, BYTES, end - 255, 255, 0);
    assertEquals(GlResult.INVALID_OPERATION, error());
    gl.glGetTexImage(TEXTURE, 0, RGBA, BYTES, end - 256, 256, 0);
    assertEquals(0, error());
    gl.glGetTexImage(TEXTURE, 0, RGBA, BYTES, end - 255, 255, 0);
    assertEquals(GlResult.INVALID_OPERATION, error());
    gl.glCompressedTexImage2D(TEXTURE, 0, 0x83F1, 8, 8, 0, 32, end - 31, 31, 0);
    assertEquals(GlResult.INVALID_OPERATION, error());
  }

  /** An address is none of this process's, whatever the client calls it. */
  @Test
  void anAddressIsRefused() {
    noError();
    gl.glTexImage2D(TEXTURE, 0, RGBA, 8, 8, 0, RGBA, BYTES, 0, 0, 0x12345000);
    assertEquals(GlResult.INVALID_OPERATION, error());
    gl.glDrawElements(4, 3, BYTES, 0x12345000);
    assertEquals(GlResult.INVALID_OPERATION, error());
    gl.glVertexAttribPointer(0, 4, 0x1406, (byte) 0, 0, 0x12345000);
    assertEquals(GlResult.INVALID_OPERATION, error());
    int buffer = name(gl.glGenBuffers(1, place));
    gl.glBindBuffer(UNPACK_BUFFER, buffer);
    gl.glTexImage2D(TEXTURE, 0, RGBA, 8, 8, 0, RGBA, BYTES, end - 256, 256, 0);
    assertEquals(GlResult.INVALID_OPERATION, error());
    gl.glBindBuffer(UNPACK_BUFFER, 0);
  }

  /** It gets room for all that the library writes, and as much as it says comes back. */
  @Test
  void aNameOfSeveralValuesWritesAsManyAsThereIsRoomFor() {
    noError();
    Native.putInt(end - 4, 7);
    assertEquals(0, gl.glGetFloatv(0x0BA6, end - 4, 1));
    assertEquals(1.0f, Native.getFloat(end - 4));
    assertEquals(0, gl.glLightfv(0x4000, 0x1200, end - 4, 1));
    assertEquals(0, error());
    for (int wrong : new int[] {-1, 1025, Integer.MAX_VALUE}) {
      assertEquals(GlResult.INVALID_VALUE, gl.glGetFloatv(0x0BA6, end - 4, wrong));
      assertEquals(GlResult.INVALID_VALUE, gl.glLightfv(0x4000, 0x1200, end - 4, wrong));
    }
  }

  @Test
  void listsOfNamesAreAsLongAsTheySay() {
    int program = name(gl.glCreateProgram(place));
    Native.MEMORY.setString(end - 4, "abc");
    assertEquals(0, gl.glTransformFeedbackVaryings(program, 1, end - 4, 4, 0x8C8C));
    for (int wrong : new int[] {2, -1, Integer.MAX_VALUE}) {
      assertEquals(
          GlResult.INVALID_VALUE,
          gl.glTransformFeedbackVaryings(program, wrong, end - 4, 4, 0x8C8C));
      assertEquals(
          GlResult.INVALID_VALUE, gl.glGetUniformIndices(program, wrong, end - 4, 4, place));
    }
    Native.putByte(end - 1, (byte) 'd');
    assertEquals(
        GlResult.INVALID_VALUE, gl.glTransformFeedbackVaryings(program, 1, end - 4, 4, 0x8C8C));
    assertEquals(GlResult.INVALID_VALUE, gl.glGetString(0x1F00, place, 0));
  }

  /** Images of any form and size, with as many bytes as the client says, up to the guard. */
  @Test
  void whateverAClientSaysNothingBeyondItsBytesIsTouched() {
    Random random = new Random(61);
    int texture = name(gl.glGenTextures(1, place));
    gl.glBindTexture(TEXTURE, texture);
    int taken = 0;
    for (int i = 0; i < 4000; i++) {
      gl.glPixelStorei(
          STORES[random.nextInt(STORES.length)], 1 << random.nextInt(random.nextInt(4) + 1));
      if (random.nextInt(8) == 0) {
        gl.glPixelStorei(STORES[random.nextInt(STORES.length)], random.nextInt(40));
      }
      int bytes = random.nextInt(1 + random.nextInt(ROOM));
      int width = random.nextInt(24);
      int height = random.nextInt(24);
      int format = FORMATS[random.nextInt(FORMATS.length)];
      int type = TYPES[random.nextInt(TYPES.length)];
      noError();
      switch (random.nextInt(4)) {
        case 0 ->
            gl.glTexImage2D(
                TEXTURE, 0, RGBA, width, height, 0, format, type, end - bytes, bytes, 0);
        case 1 ->
            gl.glTexSubImage2D(
                TEXTURE, 0, 0, 0, width, height, format, type, end - bytes, bytes, 0);
        case 2 -> gl.glGetTexImage(TEXTURE, 0, format, type, end - bytes, bytes, 0);
        default ->
            gl.glTexImage3D(
                0x806F,
                0,
                RGBA,
                width,
                height,
                random.nextInt(4),
                0,
                format,
                type,
                end - bytes,
                bytes,
                0);
      }
      taken += error() == 0 ? 1 : 0;
    }
    int all = taken;
    assertTrue(all > 100 && all < 3900, () -> all + " of 4000");
  }
}
