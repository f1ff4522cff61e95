// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.image;

import java.util.Arrays;

/** Decompressed bytes of a known number. */
final class ZstdOutput {
  private final byte[] bytes;
  private int written;

  ZstdOutput(int size) {
    this.bytes = new byte[size];
  }

  /** Appends bytes. */
  void append(byte[] from, int start, int count) throws MalformedException {
    room(count);
    if (count > from.length - start) {
      throw new MalformedException("zstd sequence takes more literals than there are");
    }
    System.arraycopy(from, start, bytes, written, count);
    written += count;
  }

  /** Appends one byte {@code count} times. */
  void fill(byte value, int count) throws MalformedException {
    room(count);
    Arrays.fill(bytes, written, written + count, value);
    written += count;
  }

  /** Appends what lies {@code distance} bytes back; it may overlap what it appends. */
  void repeat(int distance, int count) throws MalformedException {
    room(count);
    if (distance > written) {
      throw new MalformedException("zstd sequence copies from before the start");
    }
    for (int end = written + count; written < end; written++) {
      bytes[written] = bytes[written - distance];
    }
  }

  private void room(int count) throws MalformedException {
    if (count > bytes.length - written) {
      throw new MalformedException("zstd content is longer than its " + bytes.length + " bytes");
    }
  }

  /** All bytes, once they are there. */
  byte[] bytes() throws MalformedException {
    if (written != bytes.length) {
      throw new MalformedException("zstd content is " + written + " bytes, not " + bytes.length);
    }
    return bytes;
  }
}
