// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.image;

/** Reads bits from the first byte on, the lowest bit of a byte first. */
final class ForwardBits {
  private final byte[] bytes;
  private final int end;
  private long position;

  /** Reads the bytes from {@code start} to before {@code end}. */
  ForwardBits(byte[] bytes, int start, int end) {
    this.bytes = bytes;
    this.end = end;
    this.position = 8L * start;
  }

  /** Reads {@code count} bits, at most 24. */
  int read(int count) throws MalformedException {
    int value = 0;
    for (int i = 0; i < count; i++, position++) {
      int at = (int) (position >> 3);
      if (at >= end) {
        throw new MalformedException("zstd table ends early");
      }
      value |= ((bytes[at] >> (position & 7)) & 1) << i;
    }
    return value;
  }

  /** Gives the last bit back. */
  void unreadBit() {
    position--;
  }

  /** Index of the first byte of which nothing was read. */
  int nextByte() {
    return (int) ((position + 7) >> 3);
  }
}
