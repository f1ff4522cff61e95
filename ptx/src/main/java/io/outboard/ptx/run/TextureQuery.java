// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.run;

import io.outboard.ptx.host.PtxImage;
import io.outboard.ptx.host.PtxTexelFormat;
import io.outboard.ptx.host.PtxTexture;
import java.util.List;

/** The answers of textures and surfaces about themselves (PTX ISA, "txq" and "suq"). */
public final class TextureQuery {
  private static final List<String> NAMES =
      List.of(
          "width",
          "height",
          "depth",
          "array_size",
          "num_mipmap_levels",
          "normalized_coords",
          "channel_data_type",
          "channel_order");

  private TextureQuery() {}

  /** All that can be asked. */
  public static String[] names() {
    return NAMES.toArray(String[]::new);
  }

  /** The number of a question. */
  public static int code(String name) {
    return NAMES.indexOf(name);
  }

  /** The answer of a texture; 0 where there is none. */
  public static int texture(BlockContext context, long object, int code, int level) {
    PtxTexture texture = context.host.texture(object);
    if (texture == null) {
      return 0;
    }
    return switch (NAMES.get(code)) {
      case "num_mipmap_levels" -> texture.levels().size();
      case "normalized_coords" -> texture.sampler().normalized() ? 1 : 0;
      default ->
          answer(texture.levels().get(Math.clamp(level, 0, texture.levels().size() - 1)), code);
    };
  }

  /** The answer of a surface; 0 where there is none. */
  public static int surface(BlockContext context, long object, int code, int level) {
    PtxImage image = context.host.surface(object);
    return image == null ? 0 : answer(image, code);
  }

  private static int answer(PtxImage image, int code) {
    return switch (NAMES.get(code)) {
      case "width" -> image.width();
      case "height" -> image.dimensions() > 1 ? image.height() : 0;
      case "depth" -> image.dimensions() > 2 ? image.depth() : 0;
      case "array_size" -> image.layers();
      case "channel_data_type" -> dataType(image.format());
      case "channel_order" -> order(image.channels());
      default -> 0;
    };
  }

  /** The values of OpenCL's {@code cl_channel_type}, as PTX has them. */
  private static int dataType(PtxTexelFormat format) {
    return switch (format) {
      case SIGNED8 -> 0x10d7;
      case SIGNED16 -> 0x10d8;
      case SIGNED32 -> 0x10d9;
      case UNSIGNED8 -> 0x10da;
      case UNSIGNED16 -> 0x10db;
      case UNSIGNED32 -> 0x10dc;
      case HALF -> 0x10dd;
      case FLOAT -> 0x10de;
    };
  }

  /** The values of {@code cl_channel_order}. */
  private static int order(int channels) {
    return switch (channels) {
      case 1 -> 0x10b0;
      case 2 -> 0x10b2;
      default -> 0x10b5;
    };
  }
}
