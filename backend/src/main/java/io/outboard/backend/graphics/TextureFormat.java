// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.graphics;

import java.util.Arrays;
import java.util.Optional;

/**
 * The formats that textures and arrays have in common: one, two or four channels of 8, 16 or 32
 * bits; by OpenGL's internal format (OpenGL 4.6, table 8.12) and {@code CUarray_format}.
 */
enum TextureFormat {
  R8(0x8229, Channel.UNORM8, 1),
  RG8(0x822B, Channel.UNORM8, 2),
  RGBA8(0x8058, Channel.UNORM8, 4),
  R16(0x822A, Channel.UNORM16, 1),
  RG16(0x822C, Channel.UNORM16, 2),
  RGBA16(0x805B, Channel.UNORM16, 4),
  R16F(0x822D, Channel.HALF, 1),
  RG16F(0x822F, Channel.HALF, 2),
  RGBA16F(0x881A, Channel.HALF, 4),
  R32F(0x822E, Channel.FLOAT, 1),
  RG32F(0x8230, Channel.FLOAT, 2),
  RGBA32F(0x8814, Channel.FLOAT, 4),
  R8UI(0x8232, Channel.BYTE, 1),
  RG8UI(0x8238, Channel.BYTE, 2),
  RGBA8UI(0x8D7C, Channel.BYTE, 4),
  R16UI(0x8234, Channel.SHORT, 1),
  RG16UI(0x823A, Channel.SHORT, 2),
  RGBA16UI(0x8D76, Channel.SHORT, 4),
  R32UI(0x8236, Channel.INT, 1),
  RG32UI(0x823C, Channel.INT, 2),
  RGBA32UI(0x8D70, Channel.INT, 4);

  /** The numbers of a channel: for arrays, for pixels, and whether these stay whole numbers. */
  private enum Channel {
    UNORM8(0x01, 0x1401, 1, false),
    UNORM16(0x02, 0x1403, 2, false),
    HALF(0x10, 0x140B, 2, false),
    FLOAT(0x20, 0x1406, 4, false),
    BYTE(0x01, 0x1401, 1, true),
    SHORT(0x02, 0x1403, 2, true),
    INT(0x03, 0x1405, 4, true);

    private final int array;
    private final int type;
    private final int bytes;
    private final boolean whole;

    Channel(int array, int type, int bytes, boolean whole) {
      this.array = array;
      this.type = type;
      this.bytes = bytes;
      this.whole = whole;
    }
  }

  private static final int RED = 0x1903;
  private static final int RG = 0x8227;
  private static final int RGBA = 0x1908;
  private static final int RED_INTEGER = 0x8D94;
  private static final int RG_INTEGER = 0x8228;
  private static final int RGBA_INTEGER = 0x8D99;

  private final int internal;
  private final Channel channel;
  private final int channels;

  TextureFormat(int internal, Channel channel, int channels) {
    this.internal = internal;
    this.channel = channel;
    this.channels = channels;
  }

  /** The one of a texture's internal format, if CUDA has it. */
  static Optional<TextureFormat> of(int internal) {
    return Arrays.stream(values()).filter(format -> format.internal == internal).findFirst();
  }

  /** {@code CUarray_format}. */
  int array() {
    return channel.array;
  }

  int channels() {
    return channels;
  }

  /** Bytes of an element. */
  int bytes() {
    return channel.bytes * channels;
  }

  /** The type of pixels in memory. */
  int type() {
    return channel.type;
  }

  /** The format of pixels in memory. */
  int pixels() {
    return switch (channels) {
      case 1 -> channel.whole ? RED_INTEGER : RED;
      case 2 -> channel.whole ? RG_INTEGER : RG;
      default -> channel.whole ? RGBA_INTEGER : RGBA;
    };
  }
}
