// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.run;

import io.outboard.ptx.host.PtxAddressing;
import io.outboard.ptx.host.PtxImage;
import io.outboard.ptx.host.PtxSampler;
import io.outboard.ptx.host.PtxTexture;
import java.util.Arrays;

/**
 * Reads textures for the threads of one block, one after another (CUDA C++ Programming Guide,
 * "Texture Fetching"). The four values of a read lie in fields afterwards, as bits: those of
 * channels that the texture does not have are 0, and so is all of what is no texture.
 */
public final class TextureUnit {
  private static final int LANES = 4;

  private final BlockContext context;
  private final TexelAxis x = new TexelAxis();
  private final TexelAxis y = new TexelAxis();
  private final TexelAxis z = new TexelAxis();
  private final float[] sums = new float[LANES];
  private PtxTexture latest;
  private long latestObject;
  int value0;
  int value1;
  int value2;
  int value3;

  TextureUnit(BlockContext context) {
    this.context = context;
  }

  /** The texture of an object; null if it is none. Most kernels read one again and again. */
  private PtxTexture named(long object) {
    if (latest == null || latestObject != object) {
      latest = context.host.texture(object);
      latestObject = object;
    }
    return latest;
  }

  /** Reads the largest level. */
  public static void base(BlockContext context, long object, int layer, float x, float y, float z) {
    PtxTexture texture = context.textures.named(object);
    if (texture == null || texture.levels().size() > 1) {
      context.textures.read(texture, layer, x, y, z, 0);
    } else {
      context.textures.readLevel(texture, texture.levels().getFirst(), layer, x, y, z);
    }
  }

  /** Reads at a level that the program gives. */
  public static void level(
      BlockContext context, long object, int layer, float x, float y, float z, float level) {
    context.textures.read(context.textures.named(object), layer, x, y, z, level);
  }

  /** Reads at the level that follows from how far the coordinates of neighbours are apart. */
  public static void slope(
      BlockContext context,
      long object,
      int layer,
      float x,
      float y,
      float z,
      float x1,
      float y1,
      float z1,
      float x2,
      float y2,
      float z2) {
    PtxTexture texture = context.textures.named(object);
    float level = 0;
    if (texture != null) {
      double steps = Math.max(steps(texture, x1, y1, z1), steps(texture, x2, y2, z2));
      level = (float) (Math.log(steps) / Math.log(2));
    }
    context.textures.read(texture, layer, x, y, z, level);
  }

  /** How many texels of the largest level a difference of coordinates spans. */
  private static double steps(PtxTexture texture, float x, float y, float z) {
    PtxImage image = texture.levels().getFirst();
    boolean normalized = texture.sampler().normalized();
    double across = x * (normalized ? image.width() : 1.0);
    double down = y * (normalized ? image.height() : 1.0);
    double deep = z * (normalized ? image.depth() : 1.0);
    return Math.sqrt(across * across + down * down + deep * deep);
  }

  /** Reads a texel by its indices. */
  public static void fetch(
      BlockContext context, long object, int layer, int x, int y, int z, int level) {
    TextureUnit unit = context.textures;
    PtxTexture texture = context.textures.named(object);
    unit.clear();
    if (texture != null) {
      int last = texture.levels().size() - 1;
      PtxImage image = texture.levels().get(Math.clamp(level, 0, last));
      PtxSampler sampler = texture.sampler();
      unit.x.at(x, image.width(), sampler.along(0));
      unit.y.at(y, image.height(), sampler.along(1));
      unit.z.at(z, image.depth(), sampler.along(2));
      unit.finish(texture, image, depthOf(image, layer));
    }
  }

  /** Reads one channel of the four texels that would be weighted. */
  public static void gather(
      BlockContext context, long object, int layer, float x, float y, float z, int channel) {
    TextureUnit unit = context.textures;
    PtxTexture texture = context.textures.named(object);
    unit.clear();
    if (texture != null) {
      PtxImage image = texture.levels().getFirst();
      PtxSampler sampler = texture.sampler();
      unit.x.between(scaled(x, image.width(), sampler), image.width(), sampler.along(0));
      unit.y.between(scaled(y, image.height(), sampler), image.height(), sampler.along(1));
      unit.gather(texture, image, depthOf(image, layer), channel);
    }
  }

  /** Counter-clockwise from the texel of the low x and the high y. */
  private void gather(PtxTexture texture, PtxImage image, int depth, int channel) {
    value0 = value(texture, image, channel, x.low, y.high, depth);
    value1 = value(texture, image, channel, x.high, y.high, depth);
    value2 = value(texture, image, channel, x.high, y.low, depth);
    value3 = value(texture, image, channel, x.low, y.low, depth);
  }

  private void clear() {
    value0 = 0;
    value1 = 0;
    value2 = 0;
    value3 = 0;
  }

  /** A layer is an unsigned number: one before the first is behind the last. */
  private static int depthOf(PtxImage image, int layer) {
    int last = image.layers() - 1;
    return last < 0 ? 0 : Integer.compareUnsigned(layer, last) > 0 ? last : layer;
  }

  private static double scaled(float coordinate, int count, PtxSampler sampler) {
    return sampler.normalized() ? (double) coordinate * count : coordinate;
  }

  private void read(PtxTexture texture, int layer, float x, float y, float z, float level) {
    if (texture == null) {
      clear();
      return;
    }
    PtxSampler sampler = texture.sampler();
    int last = texture.levels().size() - 1;
    float wanted =
        Math.clamp(
            level + sampler.bias(), sampler.least(), Math.max(sampler.least(), sampler.most()));
    float bounded = Math.clamp(wanted, 0, last);
    int fixed = (int) Math.floor(bounded * TexelAxis.ONE + 0.5);
    int weight = fixed % TexelAxis.ONE;
    if (!sampler.between() || weight == 0 || texture.rawValues()) {
      int nearest = (int) Math.floor(bounded + 0.5);
      readLevel(texture, texture.levels().get(nearest), layer, x, y, z);
    } else {
      readLevels(texture, fixed / TexelAxis.ONE, weight, layer, x, y, z);
    }
  }

  private void readLevels(
      PtxTexture texture, int level, int weight, int layer, float x, float y, float z) {
    float part = (float) weight / TexelAxis.ONE;
    readLevel(texture, texture.levels().get(level), layer, x, y, z);
    float first0 = Float.intBitsToFloat(value0);
    float first1 = Float.intBitsToFloat(value1);
    float first2 = Float.intBitsToFloat(value2);
    float first3 = Float.intBitsToFloat(value3);
    readLevel(texture, texture.levels().get(level + 1), layer, x, y, z);
    value0 = mixed(first0, value0, part);
    value1 = mixed(first1, value1, part);
    value2 = mixed(first2, value2, part);
    value3 = mixed(first3, value3, part);
  }

  private static int mixed(float first, int second, float part) {
    return Float.floatToRawIntBits(first * (1 - part) + Float.intBitsToFloat(second) * part);
  }

  private void readLevel(PtxTexture texture, PtxImage image, int layer, float x, float y, float z) {
    PtxSampler sampler = texture.sampler();
    boolean weighted = texture.isWeighted();
    set(this.x, scaled(x, image.width(), sampler), image.width(), sampler.along(0), weighted);
    set(this.y, scaled(y, image.height(), sampler), image.height(), sampler.along(1), weighted);
    set(this.z, scaled(z, image.depth(), sampler), image.depth(), sampler.along(2), weighted);
    if (image.dimensions() < 2) {
      this.y.at(0, 1, PtxAddressing.CLAMP);
    }
    if (image.dimensions() < 3) {
      this.z.at(0, 1, PtxAddressing.CLAMP);
    }
    clear();
    finish(texture, image, depthOf(image, layer));
  }

  private static void set(
      TexelAxis axis, double coordinate, int count, PtxAddressing addressing, boolean weighted) {
    if (weighted) {
      axis.between(coordinate, count, addressing);
    } else {
      axis.nearest(coordinate, count, addressing);
    }
  }

  private void finish(PtxTexture texture, PtxImage image, int layer) {
    if (x.weight + y.weight + z.weight == 0) {
      take(texture, image, image.dimensions() > 2 ? z.low : layer);
    } else {
      weigh(texture, image, layer);
    }
  }

  private void take(PtxTexture texture, PtxImage image, int depth) {
    int channels = image.channels();
    value0 = value(texture, image, 0, x.low, y.low, depth);
    if (channels > 1) {
      value1 = value(texture, image, 1, x.low, y.low, depth);
    }
    if (channels > 2) {
      value2 = value(texture, image, 2, x.low, y.low, depth);
      value3 = value(texture, image, 3, x.low, y.low, depth);
    }
  }

  private int value(PtxTexture texture, PtxImage image, int channel, int x, int y, int depth) {
    if (channel >= image.channels()) {
      return 0;
    }
    if (!texture.rawValues()) {
      return Texels.bounded(image, number(texture, image, channel, x, y, depth));
    }
    if (isOutside(x, y, depth)) {
      return texture.sampler().border().get(channel).intValue();
    }
    return Texels.bits(context, image, Texels.address(image, channel, x, y, depth));
  }

  private float number(PtxTexture texture, PtxImage image, int channel, int x, int y, int depth) {
    return isOutside(x, y, depth)
        ? Texels.stored(image, texture.sampler().border().get(channel))
        : Texels.number(context, image, Texels.address(image, channel, x, y, depth));
  }

  private static boolean isOutside(int x, int y, int depth) {
    return (x | y | depth) < 0;
  }

  /**
   * Weighs up to eight texels. The weights of four in a plane are multiples of 1/256 too, as on an
   * H200: the part that rounding takes from one goes to the others.
   */
  private void weigh(PtxTexture texture, PtxImage image, int layer) {
    Arrays.fill(sums, 0);
    if (image.dimensions() > 2) {
      weighPlane(texture, image, z.low, TexelAxis.ONE - z.weight);
      weighPlane(texture, image, z.high, z.weight);
    } else {
      weighPlane(texture, image, layer, TexelAxis.ONE);
    }
    value0 = Texels.bounded(image, sums[0]);
    value1 = Texels.bounded(image, sums[1]);
    value2 = Texels.bounded(image, sums[2]);
    value3 = Texels.bounded(image, sums[3]);
  }

  private void weighPlane(PtxTexture texture, PtxImage image, int depth, int weight) {
    int both = (x.weight * y.weight + TexelAxis.ONE / 2) / TexelAxis.ONE;
    float part = (float) weight / (TexelAxis.ONE * TexelAxis.ONE);
    add(texture, image, x.low, y.low, depth, part * (TexelAxis.ONE - x.weight - y.weight + both));
    add(texture, image, x.high, y.low, depth, part * (x.weight - both));
    add(texture, image, x.low, y.high, depth, part * (y.weight - both));
    add(texture, image, x.high, y.high, depth, part * both);
  }

  /** A texel without weight does not count, be it infinite. */
  private void add(PtxTexture texture, PtxImage image, int x, int y, int depth, float weight) {
    for (int channel = 0; weight != 0 && channel < image.channels(); channel++) {
      sums[channel] += weight * number(texture, image, channel, x, y, depth);
    }
  }
}
