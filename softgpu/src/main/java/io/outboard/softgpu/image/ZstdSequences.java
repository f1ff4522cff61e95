// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.image;

/**
 * The sequences of zstd blocks: how many literals to take, then how much to copy from how far back
 * (RFC 8878, sections 3.1.1.3.2 and 3.1.1.4). The numbers in the tables are the format's.
 */
final class ZstdSequences {
  private static final int[] LITERAL_BASES = {
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 28, 32, 40, 48, 64,
    128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536
  };
  private static final byte[] LITERAL_BITS = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11,
    12, 13, 14, 15, 16
  };
  private static final int[] LITERAL_COUNTS = {
    4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1,
    -1, -1, -1, -1
  };
  private static final int[] MATCH_BASES = {
    3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
    29, 30, 31, 32, 33, 34, 35, 37, 39, 41, 43, 47, 51, 59, 67, 83, 99, 131, 259, 515, 1027, 2051,
    4099, 8195, 16387, 32771, 65539
  };
  private static final byte[] MATCH_BITS = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
  };
  private static final int[] MATCH_COUNTS = {
    1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1
  };
  private static final int[] OFFSET_COUNTS = {
    1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1
  };
  private static final int MAX_OFFSET_CODE = 31;

  private static final int RLE = 1;
  private static final int DESCRIBED = 2;
  private static final int REPEAT = 3;

  private final byte[] in;
  private final ZstdOutput out;
  private final int[] recent = {1, 4, 8};
  private FseTable literalTable;
  private FseTable offsetTable;
  private FseTable matchTable;
  private int position;

  ZstdSequences(byte[] in, ZstdOutput out) {
    this.in = in;
    this.out = out;
  }

  /** Reads the section from {@code start} to before {@code end} and does what it says. */
  void read(int start, int end, byte[] literals) throws MalformedException {
    position = start;
    int count = count();
    int taken = 0;
    if (count > 0) {
      tables(end);
      taken = sequences(count, new BackwardBits(in, position, end), literals);
    }
    out.append(literals, taken, literals.length - taken);
  }

  private int count() {
    int first = in[position++] & 0xff;
    if (first < 128) {
      return first;
    }
    int second = in[position++] & 0xff;
    return first < 255
        ? ((first - 128) << 8) + second
        : second + ((in[position++] & 0xff) << 8) + 0x7f00;
  }

  private void tables(int end) throws MalformedException {
    int modes = in[position++] & 0xff;
    literalTable = table((modes >> 6) & 3, literalTable, end, 9, 6, LITERAL_COUNTS);
    offsetTable = table((modes >> 4) & 3, offsetTable, end, 8, 5, OFFSET_COUNTS);
    matchTable = table((modes >> 2) & 3, matchTable, end, 9, 6, MATCH_COUNTS);
  }

  private FseTable table(
      int mode, FseTable last, int end, int maxLog, int defaultLog, int[] defaults)
      throws MalformedException {
    int maxSymbol = defaults == OFFSET_COUNTS ? MAX_OFFSET_CODE : defaults.length - 1;
    return switch (mode) {
      case RLE -> FseTable.constant(limited(in[position++] & 0xff, maxSymbol));
      case DESCRIBED -> {
        ForwardBits description = new ForwardBits(in, position, end);
        FseTable table = FseTable.read(description, maxLog, maxSymbol);
        position = description.nextByte();
        yield table;
      }
      case REPEAT -> {
        if (last == null) {
          throw new MalformedException("zstd block repeats a table that there is not");
        }
        yield last;
      }
      default -> FseTable.of(defaultLog, defaults);
    };
  }

  private static int limited(int symbol, int max) throws MalformedException {
    if (symbol > max) {
      throw new MalformedException("zstd code " + symbol + " is above " + max);
    }
    return symbol;
  }

  /** Does the sequences; returns how many literals they took. */
  private int sequences(int count, BackwardBits bits, byte[] literals) throws MalformedException {
    int literalState = literalTable.start(bits);
    int offsetState = offsetTable.start(bits);
    int matchState = matchTable.start(bits);
    int taken = 0;
    for (int i = 0; i < count; i++) {
      int offsetCode = offsetTable.symbol(offsetState);
      int literalCode = literalTable.symbol(literalState);
      int matchCode = matchTable.symbol(matchState);
      long offset = (1L << offsetCode) + (bits.read(offsetCode) & 0xffff_ffffL);
      int match = MATCH_BASES[matchCode] + bits.read(MATCH_BITS[matchCode]);
      int length = LITERAL_BASES[literalCode] + bits.read(LITERAL_BITS[literalCode]);
      if (i < count - 1) {
        literalState = literalTable.next(literalState, bits);
        matchState = matchTable.next(matchState, bits);
        offsetState = offsetTable.next(offsetState, bits);
      }
      out.append(literals, taken, length);
      taken += length;
      out.repeat(distance(offset, length), match);
    }
    if (bits.left() != 0) {
      throw new MalformedException("zstd sequences do not fill their stream");
    }
    return taken;
  }

  /** The three distances used last have short names, 1 to 3. */
  private int distance(long offset, int literals) throws MalformedException {
    int distance;
    int index = 3;
    if (offset > 3) {
      distance = (int) Math.min(offset - 3, Integer.MAX_VALUE);
    } else {
      index = (int) offset - 1 + (literals == 0 ? 1 : 0);
      distance = index < 3 ? recent[index] : recent[0] - 1;
    }
    if (distance <= 0) {
      throw new MalformedException("zstd sequence copies from nowhere");
    }
    for (int i = Math.min(index, 2); i > 0; i--) {
      recent[i] = recent[i - 1];
    }
    recent[0] = distance;
    return distance;
  }
}
