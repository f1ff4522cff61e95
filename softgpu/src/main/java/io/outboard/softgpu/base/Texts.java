// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.base;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.outboard.wire.Native;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** Texts that end with NUL, at addresses of this process. */
public final class Texts {
  private Texts() {}

  /** Reads a text. */
  public static String read(long address) {
    int length = 0;
    while (Native.getByte(address + length) != 0) {
      length++;
    }
    byte[] bytes = Native.MEMORY.asSlice(address, length).toArray(JAVA_BYTE);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Writes as much of a text as fits into {@code room} bytes with its NUL. */
  public static void write(long address, int room, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(bytes.length, room - 1);
    MemorySegment.copy(bytes, 0, Native.MEMORY, JAVA_BYTE, address, length);
    Native.putByte(address + length, (byte) 0);
  }
}
