// SPDX-License-Identifier: Apache-2.0
package io.outboard.gpu;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Where a kernel's parameters lie, packed; bytes. */
final class KernelLayout {
  private static final long NONE = -1;

  /** CUDA C++ Programming Guide, "Function Parameters". */
  private static final int MOST_BYTES = 32764;

  private final int bytes;
  private final int[] offsets;
  private final int[] sizes;

  KernelLayout(int bytes, int[] offsets, int[] sizes) {
    this.bytes = bytes;
    this.offsets = offsets;
    this.sizes = sizes;
  }

  /** Whether each parameter lies among the packed ones, of which there may be so many. */
  boolean isPossible() {
    boolean possible = bytes >= 0 && bytes <= MOST_BYTES;
    for (int i = 0; i < sizes.length; i++) {
      possible &=
          offsets[i] >= 0 && sizes[i] >= 0 && (long) offsets[i] + sizes[i] <= Math.max(bytes, 0);
    }
    return possible;
  }

  int bytes() {
    return bytes;
  }

  /**
   * Packs arguments into so many bytes; a wrong one is an {@link IllegalArgumentException} that
   * names it.
   */
  void pack(MemorySegment packed, String kernel, Object... arguments) {
    if (arguments.length != sizes.length) {
      throw new IllegalArgumentException(
          "%s has %d parameters, not %d".formatted(kernel, sizes.length, arguments.length));
    }
    for (int i = 0; i < arguments.length; i++) {
      long size = size(arguments[i]);
      if (size != sizes[i]) {
        throw new IllegalArgumentException(wrong(kernel, i, arguments[i], size));
      }
      put(packed, offsets[i], arguments[i]);
    }
  }

  private String wrong(String kernel, int index, Object argument, long size) {
    String given = argument == null ? "null" : argument.getClass().getSimpleName();
    return "parameter %d of %s has %d bytes; %s has %s"
        .formatted(index + 1, kernel, sizes[index], given, size == NONE ? "none" : size);
  }

  /** The bytes of an argument; {@link #NONE} if it is of no type that a kernel can take. */
  private static long size(Object argument) {
    return switch (argument) {
      case GpuMemory _, Long _, Double _ -> Long.BYTES;
      case Integer _, Float _ -> Integer.BYTES;
      case Short _ -> Short.BYTES;
      case Byte _, Boolean _ -> Byte.BYTES;
      case MemorySegment structure -> structure.byteSize();
      case null, default -> NONE;
    };
  }

  private static void put(MemorySegment packed, long at, Object argument) {
    switch (argument) {
      case GpuMemory memory -> packed.set(ValueLayout.JAVA_LONG, at, memory.address());
      case Integer number -> packed.set(ValueLayout.JAVA_INT, at, number);
      case Long number -> packed.set(ValueLayout.JAVA_LONG, at, number);
      case Float number -> packed.set(ValueLayout.JAVA_FLOAT, at, number);
      case Double number -> packed.set(ValueLayout.JAVA_DOUBLE, at, number);
      case Short number -> packed.set(ValueLayout.JAVA_SHORT, at, number);
      case Byte number -> packed.set(ValueLayout.JAVA_BYTE, at, number);
      case Boolean truth -> packed.set(ValueLayout.JAVA_BYTE, at, (byte) (truth ? 1 : 0));
      case MemorySegment structure ->
          MemorySegment.copy(structure, 0, packed, at, structure.byteSize());
      default -> throw new AssertionError(argument);
    }
  }
}
