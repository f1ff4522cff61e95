// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The parts of a program or library that the dynamic linker reads: 64-bit, little-endian ELF
 * (System V ABI, "Object Files"). Reading beyond the file's end is an {@link IOException}.
 */
final class ElfFile {
  /** {@code EM_X86_64}. */
  static final int X86_64 = 62;

  /** {@code EM_AARCH64}. */
  static final int AARCH64 = 183;

  private static final String DAMAGED = "it is cut off, or damaged";
  private static final int MAGIC = 0x464C457F;
  private static final int CLASS_64 = 2;
  private static final int LITTLE_ENDIAN = 1;
  private static final int SEGMENT_INTERPRETER = 3;
  private static final int SECTION_SYMBOLS = 11;
  private static final int SYMBOL = 24;
  private static final int UNDEFINED = 0;

  private final ByteBuffer bytes;

  private ElfFile(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  /** Opens a file; none if it is not of this format. */
  static Optional<ElfFile> open(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      long size = Math.min(channel.size(), Integer.MAX_VALUE);
      ByteBuffer bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, size);
      bytes.order(ByteOrder.LITTLE_ENDIAN);
      boolean fits = size >= 64 && bytes.getInt(0) == MAGIC;
      return fits && bytes.get(4) == CLASS_64 && bytes.get(5) == LITTLE_ENDIAN
          ? Optional.of(new ElfFile(bytes))
          : Optional.empty();
    }
  }

  /** For what processor it is, {@code e_machine}. */
  int machine() {
    return bytes.getShort(18) & 0xffff;
  }

  /** The dynamic linker that it asks for; none if it is linked statically, or a library. */
  Optional<String> interpreter() throws IOException {
    int count = bytes.getShort(56) & 0xffff;
    for (int i = 0; i < count; i++) {
      long at = offset(32) + (long) i * (bytes.getShort(54) & 0xffff);
      if (word(at) == SEGMENT_INTERPRETER) {
        return Optional.of(text(offset(at + 8)));
      }
    }
    return Optional.empty();
  }

  /** The dynamic symbols that it takes from other files. */
  List<String> imports() throws IOException {
    int count = bytes.getShort(60) & 0xffff;
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long at = section(i);
      if (word(at + 4) == SECTION_SYMBOLS) {
        imports(offset(at + 24), offset(at + 32), offset(section(word(at + 40)) + 24), names);
      }
    }
    return names;
  }

  /** Returns the bytes of a section; none if there is no section of that name. */
  Optional<ByteBuffer> section(String name) throws IOException {
    int count = bytes.getShort(60) & 0xffff;
    int names = bytes.getShort(62) & 0xffff;
    for (int i = 0; i < count; i++) {
      if (text(offset(section(names) + 24) + word(section(i))).equals(name)) {
        return Optional.of(content(section(i)));
      }
    }
    return Optional.empty();
  }

  private ByteBuffer content(long section) throws IOException {
    long size = offset(section + 32);
    if (size < 0 || size > bytes.limit()) {
      throw new IOException(DAMAGED);
    }
    return bytes.slice(within(offset(section + 24), (int) size), (int) size);
  }

  private long section(int index) throws IOException {
    return offset(40) + (long) index * (bytes.getShort(58) & 0xffff);
  }

  private void imports(long table, long size, long strings, List<String> names) throws IOException {
    for (long at = table; at < table + size; at += SYMBOL) {
      if ((word(at + 4) >>> 16) == UNDEFINED && word(at) != 0) {
        names.add(text(strings + word(at)));
      }
    }
  }

  private int word(long at) throws IOException {
    return bytes.getInt(within(at, Integer.BYTES));
  }

  private long offset(long at) throws IOException {
    return bytes.getLong(within(at, Long.BYTES));
  }

  private int within(long at, int size) throws IOException {
    if (at < 0 || at > bytes.limit() - size) {
      throw new IOException(DAMAGED);
    }
    return (int) at;
  }

  private String text(long at) throws IOException {
    int end = within(at, 1);
    while (bytes.get(within(end, 1)) != 0) {
      end++;
    }
    byte[] text = new byte[end - (int) at];
    bytes.get((int) at, text);
    return new String(text, UTF_8);
  }
}
