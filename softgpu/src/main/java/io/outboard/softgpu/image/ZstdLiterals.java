// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.image;

import java.util.Arrays;

/** The literals of zstd blocks (RFC 8878, section 3.1.1.3.1). */
final class ZstdLiterals {
  private static final int RAW = 0;
  private static final int REPEATED = 1;
  private static final int TREELESS = 3;
  private static final int MAX_BYTES = 128 << 10;

  private final byte[] in;
  private HuffmanTable table;
  private byte[] literals = {};
  private int end;

  ZstdLiterals(byte[] in) {
    this.in = in;
  }

  /** Reads the section at {@code start}. */
  void read(int start) throws MalformedException {
    int type = in[start] & 3;
    int format = (in[start] >> 2) & 3;
    if (type == RAW || type == REPEATED) {
      plain(start, type, format);
    } else {
      compressed(start, type, format);
    }
  }

  /** The literals of the section read last. */
  byte[] literals() {
    return literals;
  }

  /** Index of the first byte after the section read last. */
  int end() {
    return end;
  }

  private void plain(int start, int type, int format) throws MalformedException {
    int headerBytes = (format & 1) == 0 ? 1 : format == 1 ? 2 : 3;
    int size = (int) (little(start, headerBytes) >> (headerBytes == 1 ? 3 : 4));
    limit(size);
    int data = start + headerBytes;
    end = data + (type == RAW ? size : 1);
    if (type == RAW) {
      literals = Arrays.copyOfRange(in, data, end);
    } else {
      literals = new byte[size];
      Arrays.fill(literals, in[data]);
    }
  }

  private void compressed(int start, int type, int format) throws MalformedException {
    int headerBytes = format < 2 ? 3 : format + 2;
    int sizeBits = format < 2 ? 10 : format == 2 ? 14 : 18;
    long header = little(start, headerBytes) >> 4;
    int size = (int) (header & ((1L << sizeBits) - 1));
    limit(size);
    int data = start + headerBytes;
    end = data + (int) (header >> sizeBits);
    if (type != TREELESS) {
      table = HuffmanTable.read(in, data);
      data += HuffmanTable.descriptionBytes(in, data);
    } else if (table == null) {
      throw new MalformedException("zstd block repeats a table that there is not");
    }
    literals = new byte[size];
    if (format == 0) {
      table.decode(new BackwardBits(in, data, end), literals, 0, size);
    } else {
      fourStreams(data);
    }
  }

  /** Three 16-bit lengths, then four streams that each give a quarter. */
  private void fourStreams(int start) throws MalformedException {
    int quarter = (literals.length + 3) / 4;
    int from = start + 6;
    for (int i = 0; i < 4; i++) {
      int to = i < 3 ? from + (int) little(start + 2 * i, 2) : end;
      int first = Math.min(literals.length, i * quarter);
      int last = Math.min(literals.length, first + quarter);
      table.decode(new BackwardBits(in, from, to), literals, first, last);
      from = to;
    }
  }

  private long little(int at, int count) {
    long value = 0;
    for (int i = count - 1; i >= 0; i--) {
      value = (value << 8) | (in[at + i] & 0xff);
    }
    return value;
  }

  private static void limit(int size) throws MalformedException {
    if (size > MAX_BYTES) {
      throw new MalformedException("zstd block has " + size + " literals");
    }
  }
}
