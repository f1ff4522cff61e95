// SPDX-License-Identifier: Apache-2.0
package io.outboard.gl.vendor;

import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Optional;

/**
 * The bytes of buffers and textures of the context that is current to the executing thread, for
 * others than its program: each call leaves that context as it was.
 */
public final class GlObjects {
  private static final int COPY_READ_BUFFER = 0x8F36;
  private static final int BUFFER_SIZE = 0x8764;
  private static final int TEXTURE_2D = 0x0DE1;
  private static final int TEXTURE_BINDING_2D = 0x8069;
  private static final int TEXTURE_WIDTH = 0x1000;
  private static final int TEXTURE_HEIGHT = 0x1001;
  private static final int TEXTURE_INTERNAL_FORMAT = 0x1003;
  private static final int PIXEL_PACK_BUFFER = 0x88EB;
  private static final int PIXEL_PACK_BUFFER_BINDING = 0x88ED;
  private static final int PIXEL_UNPACK_BUFFER = 0x88EC;
  private static final int PIXEL_UNPACK_BUFFER_BINDING = 0x88EF;

  /** SWAP_BYTES, ROW_LENGTH, SKIP_ROWS, SKIP_PIXELS, ALIGNMENT. */
  private static final int[] PACK = {0x0D00, 0x0D02, 0x0D03, 0x0D04, 0x0D05};

  private static final int[] UNPACK = {0x0CF0, 0x0CF2, 0x0CF3, 0x0CF4, 0x0CF5};
  private static final int[] WITHOUT_GAPS = {0, 0, 0, 0, 1};

  private final VendorGl gl;

  /** Those of a library's contexts. */
  public GlObjects(VendorGl gl) {
    this.gl = gl;
  }

  /** Whether a context is current. */
  public boolean isCurrent() {
    return VendorEgl.isCurrent();
  }

  /** The length of a buffer; -1 if it is none. */
  public long bufferBytes(int buffer) {
    long place = Arena.ofAuto().allocate(Long.BYTES).address();
    Native.putLong(place, 0);
    int unused = gl.glIsBuffer(buffer, place);
    if (Native.getByte(place) == 0) {
      return -1;
    }
    return ofBuffer(
        buffer,
        () -> {
          int ignored = gl.glGetBufferParameteri64v(COPY_READ_BUFFER, BUFFER_SIZE, place, 1);
          return Native.getLong(place);
        });
  }

  /** Reads bytes of a buffer that has them. */
  public void readBuffer(int buffer, long offset, long to, long bytes) {
    long unused =
        ofBuffer(buffer, () -> gl.outboardReadBuffer(COPY_READ_BUFFER, offset, to, bytes));
  }

  /** Writes bytes of a buffer that has them. */
  public void writeBuffer(int buffer, long offset, long from, long bytes) {
    long unused = ofBuffer(buffer, () -> gl.glBufferSubData(COPY_READ_BUFFER, offset, bytes, from));
  }

  /**
   * A texture of two dimensions, level 0.
   *
   * @param format the internal one
   */
  public record Texture(int width, int height, int format) {}

  /** A texture of two dimensions that has an image. */
  public Optional<Texture> texture(int name) {
    long place = Arena.ofAuto().allocate(Long.BYTES).address();
    Native.putLong(place, 0);
    int unused = gl.glIsTexture(name, place);
    if (Native.getByte(place) == 0) {
      return Optional.empty();
    }
    int before = gl.integer(TEXTURE_BINDING_2D);
    unused = gl.glBindTexture(TEXTURE_2D, name);
    Texture found =
        new Texture(
            level(TEXTURE_WIDTH, place),
            level(TEXTURE_HEIGHT, place),
            level(TEXTURE_INTERNAL_FORMAT, place));
    unused = gl.glBindTexture(TEXTURE_2D, before);
    return Optional.of(found).filter(its -> its.width > 0 && its.height > 0);
  }

  private int level(int name, long place) {
    Native.putLong(place, 0);
    int unused = gl.glGetTexLevelParameteriv(TEXTURE_2D, 0, name, place, 1);
    return Native.getInt(place);
  }

  /** Reads a texture, whose rows follow each other without a gap. */
  public void readTexture(int name, int format, int type, long to, long bytes) {
    ofTexture(
        name,
        PACK,
        PIXEL_PACK_BUFFER_BINDING,
        PIXEL_PACK_BUFFER,
        () -> gl.glGetTexImage(TEXTURE_2D, 0, format, type, to, bytes, 0));
  }

  /** Writes a texture. */
  public void writeTexture(int name, Texture its, int format, int type, long from, long bytes) {
    ofTexture(
        name,
        UNPACK,
        PIXEL_UNPACK_BUFFER_BINDING,
        PIXEL_UNPACK_BUFFER,
        () ->
            gl.glTexSubImage2D(
                TEXTURE_2D, 0, 0, 0, its.width, its.height, format, type, from, bytes, 0));
  }

  private void ofTexture(int name, int[] form, int binding, int target, Work work) {
    int texture = gl.integer(TEXTURE_BINDING_2D);
    int buffer = gl.integer(binding);
    int[] before = Arrays.stream(form).map(gl::integer).toArray();
    int unused = gl.glBindTexture(TEXTURE_2D, name);
    unused = gl.glBindBuffer(target, 0);
    store(form, WITHOUT_GAPS);
    long ignored = work.done();
    store(form, before);
    unused = gl.glBindBuffer(target, buffer);
    unused = gl.glBindTexture(TEXTURE_2D, texture);
  }

  private void store(int[] names, int[] values) {
    for (int i = 0; i < names.length; i++) {
      int unused = gl.glPixelStorei(names[i], values[i]);
    }
  }

  private interface Work {
    long done();
  }

  private long ofBuffer(int buffer, Work work) {
    int before = gl.integer(COPY_READ_BUFFER);
    int unused = gl.glBindBuffer(COPY_READ_BUFFER, buffer);
    long result = work.done();
    unused = gl.glBindBuffer(COPY_READ_BUFFER, before);
    return result;
  }
}
