// SPDX-License-Identifier: Apache-2.0
package io.outboard.gpu;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Where a kernel's parameters lie, packed; bytes. */
final class KernelLayout {
  private final int bytes;
  private final int[] offsets;
  private final int[] sizes;

  KernelLayout(int bytes, int[] offsets, int[] sizes) {
    this.bytes = bytes;
    this.offsets = offsets;
    this.sizes = sizes;
  }

  int bytes() {
    return bytes;
  }

  /** Packs arguments; a wrong one is an {@link IllegalArgumentException} that names it. */
  MemorySegment pack(Arena arena, String kernel, Object... arguments) {
    if (arguments.length != sizes.length) {
      throw new IllegalArgumentException(
          "%s has %d parameters, not %d".formatted(kernel, sizes.length, arguments.length));
    }
    MemorySegment packed = arena.allocate(Math.max(bytes, 1), Long.BYTES);
    for (int i = 0; i < arguments.length; i++) {
      MemorySegment value = value(arena, arguments[i]);
      if (value == null || value.byteSize() != sizes[i]) {
        throw new IllegalArgumentException(wrong(kernel, i, arguments[i], value));
      }
      MemorySegment.copy(value, 0, packed, offsets[i], sizes[i]);
    }
    return packed;
  }

  private String wrong(String kernel, int index, Object argument, MemorySegment value) {
    String given = argument == null ? "null" : argument.getClass().getSimpleName();
    return "parameter %d of %s has %d bytes; %s has %s"
        .formatted(
            index + 1, kernel, sizes[index], given, value == null ? "none" : value.byteSize());
  }

  /** The bytes of an argument; null if it is of no type that a kernel can take. */
  private static MemorySegment value(Arena arena, Object argument) {
    return switch (argument) {
      case GpuMemory memory -> arena.allocateFrom(ValueLayout.JAVA_LONG, memory.address());
      case Integer number -> arena.allocateFrom(ValueLayout.JAVA_INT, number);
      case Long number -> arena.allocateFrom(ValueLayout.JAVA_LONG, number);
      case Float number -> arena.allocateFrom(ValueLayout.JAVA_FLOAT, number);
      case Double number -> arena.allocateFrom(ValueLayout.JAVA_DOUBLE, number);
      case Short number -> arena.allocateFrom(ValueLayout.JAVA_SHORT, number);
      case Byte number -> arena.allocateFrom(ValueLayout.JAVA_BYTE, number);
      case Boolean truth -> arena.allocateFrom(ValueLayout.JAVA_BYTE, (byte) (truth ? 1 : 0));
      case MemorySegment structure -> structure;
      case null, default -> null;
    };
  }
}
