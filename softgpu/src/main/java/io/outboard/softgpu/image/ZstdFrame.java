// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.image;

/**
 * Decompresses one zstd frame (RFC 8878) without a dictionary. The checksum is not compared: the
 * length is known, and a text that is wrong does not compile.
 */
final class ZstdFrame {
  private static final int MAGIC = 0xfd2fb528;
  private static final int SINGLE_SEGMENT = 0x20;
  private static final int RAW = 0;
  private static final int REPEATED = 1;
  private static final int COMPRESSED = 2;

  private final byte[] in;
  private final ZstdOutput out;
  private final ZstdLiterals literals;
  private final ZstdSequences sequences;
  private int position;

  private ZstdFrame(byte[] in, int outBytes) {
    this.in = in;
    this.out = new ZstdOutput(outBytes);
    this.literals = new ZstdLiterals(in);
    this.sequences = new ZstdSequences(in, out);
  }

  /**
   * Decompresses a frame whose content is {@code outBytes} long.
   *
   * @throws MalformedException if the content is not of this length or the frame is broken
   */
  static byte[] decompress(byte[] frame, int outBytes) throws MalformedException {
    ZstdFrame decoder = new ZstdFrame(frame, outBytes);
    try {
      decoder.header();
      decoder.blocks();
    } catch (IndexOutOfBoundsException | NegativeArraySizeException beyond) {
      throw new MalformedException("zstd frame ends early");
    }
    return decoder.out.bytes();
  }

  private void header() throws MalformedException {
    if (little(4) != MAGIC) {
      throw new MalformedException("not a zstd frame");
    }
    int descriptor = in[position++] & 0xff;
    boolean single = (descriptor & SINGLE_SEGMENT) != 0;
    int dictionaryBytes = (1 << (descriptor & 3)) >> 1;
    int sizeBytes = descriptor >> 6 == 0 ? (single ? 1 : 0) : 1 << (descriptor >> 6);
    position += single ? 0 : 1;
    if (little(dictionaryBytes) != 0) {
      throw new MalformedException("zstd frame needs a dictionary");
    }
    position += sizeBytes;
  }

  private void blocks() throws MalformedException {
    boolean last = false;
    while (!last) {
      int header = little(3);
      last = (header & 1) != 0;
      block((header >> 1) & 3, header >> 3);
    }
  }

  private void block(int type, int size) throws MalformedException {
    switch (type) {
      case RAW -> {
        out.append(in, position, size);
        position += size;
      }
      case REPEATED -> out.fill(in[position++], size);
      case COMPRESSED -> {
        literals.read(position);
        sequences.read(literals.end(), position + size, literals.literals());
        position += size;
      }
      default -> throw new MalformedException("zstd block of an unknown type");
    }
  }

  private int little(int count) {
    int value = 0;
    for (int i = 0; i < count; i++) {
      value |= (in[position++] & 0xff) << (8 * i);
    }
    return value;
  }
}
