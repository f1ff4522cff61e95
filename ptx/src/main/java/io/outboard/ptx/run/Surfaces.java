// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.run;

import io.outboard.ptx.host.PtxImage;
import io.outboard.ptx.host.PtxTrap;
import java.util.OptionalLong;

/** Loads and stores of surfaces. An address of 0 is a place outside: nothing is there. */
public final class Surfaces {
  private static final int TRAP = 0;
  private static final int CLAMP = 1;
  private static final int ZERO = 2;

  private Surfaces() {}

  /** The code of what is to happen outside: {@code trap}, {@code clamp} or {@code zero}. */
  public static int outside(String name) {
    return switch (name) {
      case "clamp" -> CLAMP;
      case "zero" -> ZERO;
      default -> TRAP;
    };
  }

  /**
   * The device address of {@code bytes} bytes.
   *
   * @param x in bytes
   */
  public static long place(
      BlockContext context, long object, int layer, int x, int y, int z, int bytes, int outside) {
    PtxImage image = context.host.surface(object);
    if (image == null) {
      return nothing(object, bytes, outside);
    }
    if ((x & bytes - 1) != 0) {
      throw Fault.access(image.address() + x, bytes);
    }
    int lastX = image.width() * image.texelBytes() - bytes;
    int depth = image.layers() > 0 ? layer : z;
    if (inside(x, lastX) && inside(y, image.height() - 1) && inside(depth, image.slices() - 1)) {
      return address(image, x, y, depth);
    }
    if (outside != CLAMP) {
      return nothing(image.address(), bytes, outside);
    }
    return address(
        image,
        Math.clamp(x, 0, lastX),
        Math.clamp(y, 0, image.height() - 1),
        clamped(image, depth));
  }

  /** A layer is an unsigned number: one before the first is behind the last. */
  private static int clamped(PtxImage image, int depth) {
    int last = image.slices() - 1;
    return image.layers() > 0 && depth < 0 ? last : Math.clamp(depth, 0, last);
  }

  private static boolean inside(int at, int last) {
    return at >= 0 && at <= last;
  }

  private static long address(PtxImage image, int x, int y, int depth) {
    return image.address() + depth * image.slice() + y * image.pitch() + x;
  }

  private static long nothing(long named, int bytes, int outside) {
    if (outside == TRAP) {
      throw new Fault(
          PtxTrap.Kind.ILLEGAL_ADDRESS,
          OptionalLong.of(named),
          "an access of " + bytes + " bytes outside of a surface");
    }
    return 0;
  }

  public static int load8(BlockContext context, long base, int offset) {
    return base == 0 ? 0 : GlobalMemory.load8(context, base + offset);
  }

  public static int load16(BlockContext context, long base, int offset) {
    return base == 0 ? 0 : GlobalMemory.load16(context, base + offset);
  }

  public static int load32(BlockContext context, long base, int offset) {
    return base == 0 ? 0 : GlobalMemory.load32(context, base + offset);
  }

  public static long load64(BlockContext context, long base, int offset) {
    return base == 0 ? 0 : GlobalMemory.load64(context, base + offset);
  }

  public static void store8(BlockContext context, long base, int offset, int value) {
    if (base != 0) {
      GlobalMemory.store8(context, base + offset, value);
    }
  }

  public static void store16(BlockContext context, long base, int offset, int value) {
    if (base != 0) {
      GlobalMemory.store16(context, base + offset, value);
    }
  }

  public static void store32(BlockContext context, long base, int offset, int value) {
    if (base != 0) {
      GlobalMemory.store32(context, base + offset, value);
    }
  }

  public static void store64(BlockContext context, long base, int offset, long value) {
    if (base != 0) {
      GlobalMemory.store64(context, base + offset, value);
    }
  }
}
