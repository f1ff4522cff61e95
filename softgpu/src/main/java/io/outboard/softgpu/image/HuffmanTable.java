// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.image;

import java.util.Arrays;

/** A table for decoding Huffman codes of literals (RFC 8878, section 4.2). */
final class HuffmanTable {
  private static final int MAX_BITS = 11;
  private static final int MAX_WEIGHTS = 255;
  private static final int WEIGHT_LOG = 6;

  private final int maxBits;
  private final byte[] symbols;
  private final byte[] bits;

  private HuffmanTable(int maxBits) {
    this.maxBits = maxBits;
    this.symbols = new byte[1 << maxBits];
    this.bits = new byte[1 << maxBits];
  }

  /** Length in bytes of the description at {@code start}. */
  static int descriptionBytes(byte[] in, int start) {
    int header = in[start] & 0xff;
    return 1 + (header < 128 ? header : (header - 127 + 1) / 2);
  }

  /** Reads the description of a code at {@code start}. */
  static HuffmanTable read(byte[] in, int start) throws MalformedException {
    int header = in[start] & 0xff;
    return of(
        header < 128
            ? compressedWeights(in, start + 1, start + 1 + header)
            : directWeights(in, start + 1, header - 127));
  }

  private static int[] directWeights(byte[] in, int start, int count) {
    int[] weights = new int[count];
    for (int i = 0; i < count; i++) {
      weights[i] = (in[start + i / 2] >> ((i & 1) == 0 ? 4 : 0)) & 15;
    }
    return weights;
  }

  /** Two states take turns, until the bits are used up. */
  private static int[] compressedWeights(byte[] in, int start, int end) throws MalformedException {
    ForwardBits description = new ForwardBits(in, start, end);
    FseTable table = FseTable.read(description, WEIGHT_LOG, MAX_BITS + 1);
    BackwardBits stream = new BackwardBits(in, description.nextByte(), end);
    int[] weights = new int[MAX_WEIGHTS + 1];
    int[] states = {table.start(stream), table.start(stream)};
    int count = 0;
    while (stream.left() >= 0 && count < MAX_WEIGHTS) {
      int turn = count & 1;
      weights[count++] = table.symbol(states[turn]);
      states[turn] = table.next(states[turn], stream);
    }
    if (count == MAX_WEIGHTS) {
      throw new MalformedException("zstd Huffman table has too many symbols");
    }
    weights[count] = table.symbol(states[count & 1]);
    return Arrays.copyOf(weights, count + 1);
  }

  /** The last symbol's weight is what is missing to a power of two. */
  private static HuffmanTable of(int[] weights) throws MalformedException {
    int sum = 0;
    for (int weight : weights) {
      sum += weight == 0 ? 0 : 1 << (weight - 1);
    }
    int maxBits = 32 - Integer.numberOfLeadingZeros(sum);
    int missing = (1 << maxBits) - sum;
    if (sum == 0 || maxBits > MAX_BITS || Integer.bitCount(missing) != 1) {
      throw new MalformedException("zstd Huffman table does not add up");
    }
    HuffmanTable table = new HuffmanTable(maxBits);
    int[] all = Arrays.copyOf(weights, weights.length + 1);
    all[weights.length] = 32 - Integer.numberOfLeadingZeros(missing);
    table.fill(all);
    return table;
  }

  /** Long codes come first; codes of one length are in the order of the symbols. */
  private void fill(int[] weights) {
    int at = 0;
    for (int weight = 1; weight <= maxBits; weight++) {
      for (int symbol = 0; symbol < weights.length; symbol++) {
        if (weights[symbol] == weight) {
          int end = at + (1 << (weight - 1));
          Arrays.fill(symbols, at, end, (byte) symbol);
          Arrays.fill(bits, at, end, (byte) (maxBits + 1 - weight));
          at = end;
        }
      }
    }
  }

  /** Decodes one stream, which must give exactly the bytes from {@code from} to {@code to}. */
  void decode(BackwardBits in, byte[] out, int from, int to) throws MalformedException {
    int mask = (1 << maxBits) - 1;
    int state = in.read(maxBits);
    for (int i = from; i < to; i++) {
      out[i] = symbols[state];
      int width = bits[state];
      state = ((state << width) | in.read(width)) & mask;
    }
    if (in.left() != -maxBits) {
      throw new MalformedException("zstd literals do not fill their stream");
    }
  }
}
