// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.image;

import java.util.Arrays;

/** A table for decoding finite state entropy (RFC 8878, section 4.1). */
final class FseTable {
  private final int log;
  private final byte[] symbols;
  private final byte[] bits;
  private final short[] bases;

  private FseTable(int log) {
    this.log = log;
    this.symbols = new byte[1 << log];
    this.bits = new byte[1 << log];
    this.bases = new short[1 << log];
  }

  /** A table whose every state is one symbol and takes no bits. */
  static FseTable constant(int symbol) {
    FseTable table = new FseTable(0);
    table.symbols[0] = (byte) symbol;
    return table;
  }

  /**
   * Reads a description of probabilities and makes its table.
   *
   * @param maxLog highest accuracy that is allowed
   * @param maxSymbol highest symbol that is allowed
   */
  static FseTable read(ForwardBits in, int maxLog, int maxSymbol) throws MalformedException {
    int log = in.read(4) + 5;
    if (log > maxLog) {
      throw new MalformedException("zstd table is too accurate");
    }
    int[] counts = new int[maxSymbol + 1];
    int symbol = 0;
    for (int remaining = 1 << log; remaining > 0; ) {
      if (symbol > maxSymbol) {
        throw new MalformedException("zstd table has too many symbols");
      }
      int count = probability(in, remaining);
      remaining -= Math.abs(count);
      if (remaining < 0) {
        throw new MalformedException("zstd table adds up to too much");
      }
      counts[symbol++] = count;
      symbol += count == 0 ? zeros(in) : 0;
    }
    return of(log, symbol <= maxSymbol ? Arrays.copyOf(counts, symbol) : counts);
  }

  /** Reads one probability: as few bits as what remains to be given out needs; -1 is below 1. */
  private static int probability(ForwardBits in, int remaining) throws MalformedException {
    int width = 32 - Integer.numberOfLeadingZeros(remaining + 1);
    int value = in.read(width);
    int low = value & ((1 << (width - 1)) - 1);
    int threshold = (1 << width) - 1 - (remaining + 1);
    if (low < threshold) {
      in.unreadBit();
      value = low;
    } else if (value >= 1 << (width - 1)) {
      value -= threshold;
    }
    return value - 1;
  }

  /** Reads how many more symbols of probability 0 follow. */
  private static int zeros(ForwardBits in) throws MalformedException {
    int all = 0;
    int more;
    do {
      more = in.read(2);
      all += more;
    } while (more == 3);
    return all;
  }

  /** Makes the table of probabilities that add up to two to the power of {@code log}. */
  static FseTable of(int log, int... counts) throws MalformedException {
    FseTable table = new FseTable(log);
    int[] next = new int[counts.length];
    int free = table.placeRare(counts, next);
    table.spread(counts, next, free);
    for (int state = 0; state < 1 << log; state++) {
      int rank = next[table.symbols[state]]++;
      int width = log - (31 - Integer.numberOfLeadingZeros(rank));
      table.bits[state] = (byte) width;
      table.bases[state] = (short) ((rank << width) - (1 << log));
    }
    return table;
  }

  /** Symbols below probability 1 get the last states; returns the first of these. */
  private int placeRare(int[] counts, int[] next) {
    int free = 1 << log;
    for (int symbol = 0; symbol < counts.length; symbol++) {
      next[symbol] = Math.abs(counts[symbol]);
      if (counts[symbol] == -1) {
        symbols[--free] = (byte) symbol;
      }
    }
    return free;
  }

  private void spread(int[] counts, int[] next, int free) throws MalformedException {
    int size = 1 << log;
    int step = (size >> 1) + (size >> 3) + 3;
    int position = 0;
    for (int symbol = 0; symbol < counts.length; symbol++) {
      for (int i = 0; i < counts[symbol]; i++) {
        symbols[position] = (byte) symbol;
        do {
          position = (position + step) & (size - 1);
        } while (position >= free);
      }
    }
    if (position != 0) {
      throw new MalformedException("zstd table of " + next.length + " symbols does not add up");
    }
  }

  /** The first state. */
  int start(BackwardBits in) {
    return in.read(log);
  }

  /** The symbol of a state. */
  int symbol(int state) {
    return symbols[state];
  }

  /** The state after one. */
  int next(int state, BackwardBits in) {
    return bases[state] + in.read(bits[state]);
  }
}
