// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.image;

/**
 * Decompresses one LZ4 block: a token, literals, and a copy from what came before, again and again
 * (LZ4 Block Format Description).
 */
final class Lz4Block {
  private static final int MIN_MATCH = 4;

  private final byte[] in;
  private final byte[] out;
  private int read;
  private int written;

  private Lz4Block(byte[] in, int outBytes) {
    this.in = in;
    this.out = new byte[outBytes];
  }

  /**
   * Decompresses a block whose content is {@code outBytes} long.
   *
   * @throws MalformedException if the block is not of this length or broken
   */
  static byte[] decompress(byte[] block, int outBytes) throws MalformedException {
    Lz4Block decoder = new Lz4Block(block, outBytes);
    try {
      decoder.sequences();
    } catch (IndexOutOfBoundsException beyond) {
      throw new MalformedException("LZ4 block ends early");
    }
    return decoder.out;
  }

  private void sequences() throws MalformedException {
    while (read < in.length) {
      int token = in[read++] & 0xff;
      literals(length(token >> 4));
      if (read < in.length) {
        match(token & 15);
      }
    }
    if (written != out.length) {
      throw new MalformedException("LZ4 block is " + written + " bytes, not " + out.length);
    }
  }

  private int length(int nibble) throws MalformedException {
    int length = nibble;
    if (nibble == 15) {
      int more;
      do {
        more = in[read++] & 0xff;
        length += more;
      } while (more == 255 && length <= out.length);
    }
    if (length > out.length - written) {
      throw new MalformedException("LZ4 block is longer than its " + out.length + " bytes");
    }
    return length;
  }

  private void literals(int count) {
    System.arraycopy(in, read, out, written, count);
    read += count;
    written += count;
  }

  private void match(int nibble) throws MalformedException {
    int distance = (in[read] & 0xff) | (in[read + 1] & 0xff) << 8;
    read += 2;
    int end = written + length(nibble) + MIN_MATCH;
    if (distance == 0 || distance > written || end > out.length) {
      throw new MalformedException("LZ4 block refers to bytes outside of it");
    }
    while (written < end) {
      out[written] = out[written - distance];
      written++;
    }
  }
}
