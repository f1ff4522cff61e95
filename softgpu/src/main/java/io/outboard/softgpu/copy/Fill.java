// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.copy;

import io.outboard.wire.Native;

/** Fills memory of this process with a repeated value. */
final class Fill {
  private Fill() {}

  /**
   * Fills {@code bytes} bytes from an address with values of {@code width} (1, 2 or 4) bytes; the
   * number of bytes is a multiple of the width.
   */
  static void fill(long address, long bytes, int value, int width) {
    if (width == 1 || value == 0) {
      Native.fill(address, bytes, (byte) value);
      return;
    }
    if (bytes == 0) {
      return;
    }
    put(address, value, width);
    for (long done = width; done < bytes; ) {
      long more = Math.min(done, bytes - done);
      Native.copy(address, address + done, more);
      done += more;
    }
  }

  private static void put(long address, int value, int width) {
    if (width == 2) {
      Native.putShort(address, (short) value);
    } else {
      Native.putInt(address, value);
    }
  }
}
