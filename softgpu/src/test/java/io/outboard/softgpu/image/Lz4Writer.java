// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.image;

import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Map;

/** Compresses to an LZ4 block: takes the latest place where the next four bytes were seen. */
final class Lz4Writer {
  private final byte[] in;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private Lz4Writer(byte[] in) {
    this.in = in;
  }

  static byte[] compress(byte[] in) {
    Lz4Writer writer = new Lz4Writer(in);
    writer.run();
    return writer.out.toByteArray();
  }

  private void run() {
    Map<Integer, Integer> seen = new HashMap<>();
    int literals = 0;
    int at = 0;
    while (at < in.length - 12) {
      Integer before = seen.put(four(at), at);
      if (before == null || at - before > 0xffff) {
        at++;
        continue;
      }
      int match = 4;
      while (at + match < in.length - 5 && in[before + match] == in[at + match]) {
        match++;
      }
      sequence(literals, at, at - before, match);
      at += match;
      literals = at;
    }
    token(in.length - literals, 0);
    length(in.length - literals);
    out.write(in, literals, in.length - literals);
  }

  private void sequence(int literals, int at, int distance, int match) {
    token(at - literals, match - 4);
    length(at - literals);
    out.write(in, literals, at - literals);
    out.write(distance);
    out.write(distance >> 8);
    length(match - 4);
  }

  private void token(int literals, int match) {
    out.write((Math.min(15, literals) << 4) | Math.min(15, match));
  }

  private void length(int length) {
    if (length < 15) {
      return;
    }
    int left = length - 15;
    for (; left >= 255; left -= 255) {
      out.write(255);
    }
    out.write(left);
  }

  private int four(int at) {
    return (in[at] & 0xff)
        | ((in[at + 1] & 0xff) << 8)
        | ((in[at + 2] & 0xff) << 16)
        | (in[at + 3] << 24);
  }
}
