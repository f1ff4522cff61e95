// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.cuda;

import io.outboard.wire.Native;

/**
 * Words of 8 bytes for an address that is a multiple of 8, and of which of their bytes: bit n of
 * the mask's byte of a word is byte n. They are written by words, so that a kernel that runs does
 * not see half of a number.
 *
 * @param data where the words lie
 * @param mask where the masks lie
 */
record MaskedWords(long address, long data, long mask, long words) {
  private static final int ALL = 0xff;
  private static final int LOW = 0x0f;
  private static final int HALF = 4;

  /** Whether they can be written: some bytes of the first word, and of the last. */
  boolean isWhole() {
    return data != 0
        && mask != 0
        && words > 0
        && address % Long.BYTES == 0
        && bits(0) != 0
        && bits(words - 1) != 0;
  }

  private int bits(long word) {
    return Byte.toUnsignedInt(Native.getByte(mask + word));
  }

  /** The first byte that is written. */
  long begin() {
    return address + Integer.numberOfTrailingZeros(bits(0));
  }

  /** How many there are up to the last one. */
  long bytes() {
    int unused = Integer.numberOfLeadingZeros(bits(words - 1)) - (Integer.SIZE - Byte.SIZE);
    return address + Long.BYTES * words - unused - begin();
  }

  /** The same for another address. */
  MaskedWords at(long other) {
    return new MaskedWords(other, data, mask, words);
  }

  void write() {
    for (long word = 0; word < words; word++) {
      long to = address + Long.BYTES * word;
      long from = data + Long.BYTES * word;
      int bits = bits(word);
      if (bits == ALL) {
        Native.putLong(to, Native.getLong(from));
      } else if (bits == (bits & LOW)) {
        writeHalf(to, from, bits);
      } else if ((bits & LOW) == 0) {
        writeHalf(to + HALF, from + HALF, bits >> HALF);
      } else {
        Native.putLong(to, merged(Native.getLong(to), Native.getLong(from), bits));
      }
    }
  }

  private static void writeHalf(long to, long from, int bits) {
    if (bits == LOW) {
      Native.putInt(to, Native.getInt(from));
    } else if (bits != 0) {
      long now = Integer.toUnsignedLong(Native.getInt(to));
      Native.putInt(to, (int) merged(now, Integer.toUnsignedLong(Native.getInt(from)), bits));
    }
  }

  private static long merged(long now, long fresh, int bits) {
    long written = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      written |= (bits >> i & 1) == 0 ? 0 : 0xffL << (Byte.SIZE * i);
    }
    return (now & ~written) | (fresh & written);
  }

  /** The number of words in which a range lies. */
  static long around(long address, long bytes) {
    long first = address & -Long.BYTES;
    return (address + bytes - first + Long.BYTES - 1) / Long.BYTES;
  }

  /** Reads a range into the words in which it lies; their other bytes are 0. */
  static void read(long address, long bytes, long words) {
    Native.putLong(words, 0);
    Native.putLong(words + Long.BYTES * (around(address, bytes) - 1), 0);
    Native.copy(address, words + (address & (Long.BYTES - 1)), bytes);
  }
}
