// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.texture;

import io.outboard.cuda.CudaResult;
import io.outboard.ptx.host.PtxAddressing;
import io.outboard.ptx.host.PtxSampler;
import io.outboard.wire.Native;
import java.util.Collections;
import java.util.stream.IntStream;

/** The way of reading a texture in a {@code CUDA_TEXTURE_DESC}. */
public final class TextureSampling {
  /** Size of the description in bytes. */
  public static final int BYTES = 104;

  private static final int FILTER = 12;
  private static final int FLAGS = 16;
  private static final int LEVEL_FILTER = 24;
  private static final int BIAS = 28;
  private static final int LEAST = 32;
  private static final int MOST = 36;
  private static final int BORDER = 40;

  private static final int AS_INTEGER = 0x01;
  private static final int NORMALIZED = 0x02;
  private static final int SRGB = 0x10;

  /** Two that change nothing here: less exact levels, and the edges of cube maps. */
  private static final int ALL_FLAGS = AS_INTEGER | NORMALIZED | SRGB | 0x20 | 0x40;

  private static final int AXES = 3;
  private static final int LANES = 4;

  private final long description;

  /** The description at an address of this process. */
  public TextureSampling(long description) {
    this.description = description;
  }

  private int flags() {
    return Native.getInt(description + FLAGS);
  }

  /** Whether it can be done, as a result code. */
  public int check() {
    boolean possible =
        isFilter(Native.getInt(description + FILTER))
            && isFilter(Native.getInt(description + LEVEL_FILTER))
            && (flags() & ~ALL_FLAGS) == 0
            && !Float.isNaN(Native.getFloat(description + BIAS))
            && Native.getFloat(description + LEAST) <= Native.getFloat(description + MOST);
    for (int axis = 0; axis < AXES; axis++) {
      possible &= addressing(axis) != null;
    }
    if (!possible) {
      return CudaResult.INVALID_VALUE;
    }
    return (flags() & SRGB) != 0 ? CudaResult.NOT_SUPPORTED : CudaResult.SUCCESS;
  }

  private static boolean isFilter(int mode) {
    return mode == 0 || mode == 1;
  }

  /** How it reads, where {@link #check} found nothing wrong. */
  public PtxSampler sampler(TextureResource resource) {
    if (resource.type() == TextureResource.LINEAR) {
      return row();
    }
    return new PtxSampler(
        IntStream.range(0, AXES).mapToObj(this::addressing).toList(),
        Native.getInt(description + FILTER) == 1,
        (flags() & NORMALIZED) != 0,
        (flags() & AS_INTEGER) != 0,
        IntStream.range(0, LANES).mapToObj(this::border).toList(),
        Native.getInt(description + LEVEL_FILTER) == 1,
        Native.getFloat(description + BIAS),
        Native.getFloat(description + LEAST),
        Native.getFloat(description + MOST));
  }

  private PtxAddressing addressing(int axis) {
    return switch (Native.getInt(description + 4L * axis)) {
      case 0 -> PtxAddressing.WRAP;
      case 1 -> PtxAddressing.CLAMP;
      case 2 -> PtxAddressing.MIRROR;
      case 3 -> PtxAddressing.BORDER;
      default -> null;
    };
  }

  private float border(int lane) {
    return Native.getFloat(description + BORDER + 4L * lane);
  }

  /** A row in memory is read by indices; outside of it are zeros, as on an H200. */
  private PtxSampler row() {
    return new PtxSampler(
        Collections.nCopies(AXES, PtxAddressing.BORDER),
        false,
        false,
        (flags() & AS_INTEGER) != 0,
        Collections.nCopies(LANES, 0f),
        false,
        0,
        0,
        0);
  }
}
