// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.image;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * The containers of an image, one after another, each a 16-byte header {u32 magic, u16 version, u16
 * header size, u64 size of what follows} and entries.
 */
final class ContainerReader {
  private static final int HEADER_BYTES = 16;

  private final MemorySegment image;
  private long next;
  private MemorySegment entries;

  ContainerReader(MemorySegment image) {
    this.image = image;
  }

  /** Goes to the next one; returns whether there is one. */
  boolean next() throws MalformedException {
    long room = image.byteSize() - next;
    if (room < HEADER_BYTES || image.get(JAVA_INT_UNALIGNED, next) != Images.CONTAINER_MAGIC) {
      return false;
    }
    long header = image.get(JAVA_SHORT_UNALIGNED, next + 6) & 0xffff;
    long size = image.get(JAVA_LONG_UNALIGNED, next + 8);
    if (header < HEADER_BYTES || header > room || size < 0 || size > room - header) {
      throw new MalformedException("container is longer than the image");
    }
    entries = image.asSlice(next + header, size);
    next += (header + size + 7) / 8 * 8;
    return true;
  }

  /** Its contents. */
  MemorySegment entries() {
    return entries;
  }
}
