// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.image;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * One image in a container. The header, 64 bytes and an optional tail, little-endian:
 *
 * <pre>
 *    0 u16 kind: 1 PTX, 2 device binary, 8 intermediate code
 *    4 u32 size of the header with its tail
 *    8 u64 size of the payload, padded to 8
 *   16 u32 size of the compressed payload, 0 when it is not compressed
 *   28 u32 architecture, 10 × major + minor
 *   40 u64 flags
 *   56 u64 size of the payload once decompressed, 0 when it is not compressed
 * </pre>
 */
final class FatEntry {
  static final int KIND_PTX = 1;
  static final int KIND_BINARY = 2;

  static final long FLAG_LZ4 = 0x2000;
  static final long FLAG_ZSTD = 0x8000;

  private static final long FLAG_ARCHITECTURE_SPECIFIC = 0x10_0000;
  private static final long FLAG_FAMILY_SPECIFIC = 0x20_0000;

  /** Smallest header. */
  static final int HEADER_BYTES = 64;

  /** Larger texts are refused: a broken size must not cost the memory of the process. */
  private static final long MAX_TEXT_BYTES = 256L << 20;

  private final int kind;
  private final int architecture;
  private final long flags;
  private final long uncompressedBytes;
  private final MemorySegment payload;
  private final long end;

  /**
   * Reads the entry at an offset of a container.
   *
   * @throws MalformedException if it does not fit
   */
  FatEntry(MemorySegment container, long offset) throws MalformedException {
    if (container.byteSize() - offset < HEADER_BYTES) {
      throw new MalformedException("container ends in the header of an image");
    }
    kind = container.get(JAVA_SHORT_UNALIGNED, offset) & 0xffff;
    architecture = container.get(JAVA_INT_UNALIGNED, offset + 28);
    flags = container.get(JAVA_LONG_UNALIGNED, offset + 40);
    uncompressedBytes = container.get(JAVA_LONG_UNALIGNED, offset + 56);
    long header = container.get(JAVA_INT_UNALIGNED, offset + 4) & 0xffff_ffffL;
    long compressed = container.get(JAVA_INT_UNALIGNED, offset + 16) & 0xffff_ffffL;
    long padded = Math.max(container.get(JAVA_LONG_UNALIGNED, offset + 8), compressed);
    long room = container.byteSize() - offset - header;
    if (header < HEADER_BYTES || padded < 0 || padded > room) {
      throw new MalformedException("container ends in an image");
    }
    payload = container.asSlice(offset + header, compressed > 0 ? compressed : padded);
    end = offset + header + padded;
  }

  /** Offset of the next entry. */
  long end() {
    return end;
  }

  int architecture() {
    return architecture;
  }

  /** Whether it is PTX, for whatever device. */
  boolean isPtx() {
    return kind == KIND_PTX;
  }

  /** Whether it is code that a device runs as it is. */
  boolean isBinary() {
    return kind == KIND_BINARY;
  }

  /** Whether its payload has to be decompressed. */
  boolean isCompressed() {
    return (flags & (FLAG_LZ4 | FLAG_ZSTD)) != 0 && uncompressedBytes != 0;
  }

  /** Whether it is PTX for any device of at least its architecture. */
  boolean isPortablePtx() {
    return kind == KIND_PTX && (flags & (FLAG_ARCHITECTURE_SPECIFIC | FLAG_FAMILY_SPECIFIC)) == 0;
  }

  /** Describes it for people. */
  String description() {
    String suffix =
        (flags & FLAG_ARCHITECTURE_SPECIFIC) != 0
            ? "a"
            : (flags & FLAG_FAMILY_SPECIFIC) != 0 ? "f" : "";
    return switch (kind) {
          case KIND_PTX -> "PTX compute_";
          case KIND_BINARY -> "SASS sm_";
          default -> "kind " + kind + " sm_";
        }
        + architecture
        + suffix;
  }

  /**
   * The PTX text.
   *
   * @throws MalformedException if it cannot be decompressed
   */
  String text() throws MalformedException {
    return text(content().toArray(JAVA_BYTE));
  }

  /**
   * The payload.
   *
   * @throws MalformedException if it cannot be decompressed
   */
  MemorySegment content() throws MalformedException {
    return isCompressed() ? MemorySegment.ofArray(decompress(payload.toArray(JAVA_BYTE))) : payload;
  }

  /** The text before the first NUL. */
  static String text(byte[] bytes) {
    int length = 0;
    while (length < bytes.length && bytes[length] != 0) {
      length++;
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  private byte[] decompress(byte[] bytes) throws MalformedException {
    if (uncompressedBytes < 0 || uncompressedBytes > MAX_TEXT_BYTES) {
      throw new MalformedException("image of " + uncompressedBytes + " bytes");
    }
    return (flags & FLAG_ZSTD) != 0
        ? ZstdFrame.decompress(bytes, (int) uncompressedBytes)
        : Lz4Block.decompress(bytes, (int) uncompressedBytes);
  }
}
