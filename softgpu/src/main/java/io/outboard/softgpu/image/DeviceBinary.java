// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.image;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * A device binary: an ELF file of 64 bits, little-endian, whose sections are read by their heads.
 */
final class DeviceBinary {
  private static final int SECTIONS = 40;
  private static final int SECTION_BYTES = 58;
  private static final int SECTION_COUNT = 60;
  private static final int NAMES_SECTION = 62;

  // In a section's head.
  private static final int FLAGS = 8;
  private static final int OFFSET = 24;
  private static final int SIZE = 32;

  /** {@code SHF_ALLOC}. */
  private static final long ALLOCATED = 2;

  /**
   * They lie in a multiprocessor, or are of each thread: {@code .nv.shared.…}, {@code .nv.local.…}.
   */
  private static final String[] ELSEWHERE = {".nv.shared", ".nv.reservedSmem", ".nv.local"};

  private final MemorySegment file;

  private DeviceBinary(MemorySegment file) {
    this.file = file;
  }

  /**
   * The bytes of its sections that lie in device memory: variables, whether the file has their
   * contents or not, constants and code.
   *
   * @throws MalformedException if they are more than there can be
   * @throws IndexOutOfBoundsException if the file ends early
   */
  static long allocated(MemorySegment file) throws MalformedException {
    return new DeviceBinary(file).allocated();
  }

  private long allocated() throws MalformedException {
    long sum = 0;
    for (int section = 0; section < half(SECTION_COUNT); section++) {
      long head = head(section);
      boolean counts = (file.get(JAVA_LONG_UNALIGNED, head + FLAGS) & ALLOCATED) != 0;
      sum += counts && !isElsewhere(head) ? size(head) : 0;
      if (sum < 0) {
        throw new MalformedException("sections larger than any memory");
      }
    }
    return sum;
  }

  private long size(long head) throws MalformedException {
    long size = file.get(JAVA_LONG_UNALIGNED, head + SIZE);
    if (size < 0) {
      throw new MalformedException("a section larger than any memory");
    }
    return size;
  }

  private boolean isElsewhere(long head) {
    long names = file.get(JAVA_LONG_UNALIGNED, head(half(NAMES_SECTION)) + OFFSET);
    long name = names + (file.get(JAVA_INT_UNALIGNED, head) & 0xffff_ffffL);
    for (String prefix : ELSEWHERE) {
      if (startsWith(name, prefix)) {
        return true;
      }
    }
    return false;
  }

  private boolean startsWith(long at, String prefix) {
    int same = 0;
    while (same < prefix.length() && file.get(JAVA_BYTE, at + same) == prefix.charAt(same)) {
      same++;
    }
    return same == prefix.length();
  }

  private long head(int section) {
    return file.get(JAVA_LONG_UNALIGNED, SECTIONS) + (long) section * half(SECTION_BYTES);
  }

  private int half(int offset) {
    return file.get(JAVA_SHORT_UNALIGNED, offset) & 0xffff;
  }
}
