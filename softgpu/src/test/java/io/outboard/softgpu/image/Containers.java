// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.image;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Builds containers as compilers do. */
public final class Containers {
  /** Flag of PTX that only one architecture can run. */
  public static final long ARCHITECTURE_SPECIFIC = 0x10_0000;

  private Containers() {}

  /** A container of entries. */
  public static byte[] container(byte[]... entries) {
    int size = 0;
    for (byte[] entry : entries) {
      size += entry.length;
    }
    byte[] container = new byte[16 + size];
    ByteBuffer out = ByteBuffer.wrap(container).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(0xba55ed50).putShort((short) 1).putShort((short) 16).putLong(size);
    for (byte[] entry : entries) {
      out.put(entry);
    }
    return container;
  }

  /** An uncompressed PTX entry. */
  public static byte[] ptx(int architecture, String text) {
    return entry(1, architecture, 0, bytes(text), 0);
  }

  /** A device binary. */
  public static byte[] binary(int architecture) {
    return entry(2, architecture, 0, new byte[] {0x7f, 'E', 'L', 'F', 1, 2, 3, 4}, 0);
  }

  /** An entry with a tail of 8 bytes after its header; {@code uncompressed} is 0 or a size. */
  public static byte[] entry(
      int kind, int architecture, long flags, byte[] payload, long uncompressed) {
    int padded = (payload.length + 7) & -8;
    byte[] entry = new byte[72 + padded];
    ByteBuffer out = ByteBuffer.wrap(entry).order(ByteOrder.LITTLE_ENDIAN);
    out.putShort((short) kind).putShort((short) 0x0101).putInt(72).putLong(padded);
    out.putInt(uncompressed == 0 ? 0 : payload.length);
    out.putInt(28, architecture).putLong(40, flags).putLong(56, uncompressed);
    out.position(72).put(payload);
    return entry;
  }

  /** A text as compilers store it. */
  public static byte[] bytes(String text) {
    return (text + "\n\0").getBytes(StandardCharsets.UTF_8);
  }
}
