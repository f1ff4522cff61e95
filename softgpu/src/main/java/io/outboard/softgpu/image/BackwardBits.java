// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.image;

/**
 * Reads bits from the last byte back to the first. The highest bit that is set in the last byte
 * only marks the end. Bits before the first byte are 0: decoders notice by {@link #left} that they
 * read them.
 */
final class BackwardBits {
  private final byte[] bytes;
  private final int start;
  private long left;

  /** Reads the bytes from {@code start} to before {@code end}. */
  BackwardBits(byte[] bytes, int start, int end) throws MalformedException {
    if (end <= start || end > bytes.length || bytes[end - 1] == 0) {
      throw new MalformedException("zstd bit stream without an end");
    }
    this.bytes = bytes;
    this.start = start;
    int last = bytes[end - 1] & 0xff;
    this.left = 8L * (end - 1 - start) + (31 - Integer.numberOfLeadingZeros(last));
  }

  /** Bits that are left; negative when more were read than there were. */
  long left() {
    return left;
  }

  /** Reads {@code count} bits, at most 32. */
  int read(int count) {
    left -= count;
    int value = 0;
    int read = (int) Math.max(0, Math.min(count, -left));
    while (read < count) {
      long position = left + read;
      int inByte = (int) (position & 7);
      int taken = Math.min(8 - inByte, count - read);
      int current = bytes[start + (int) (position >> 3)] & 0xff;
      int piece = (current >> inByte) & ((1 << taken) - 1);
      value |= piece << read;
      read += taken;
    }
    return value;
  }
}
