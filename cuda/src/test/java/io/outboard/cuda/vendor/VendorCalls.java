// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.vendor;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** The arguments of calls to the library of {@code src/test/c/vendor.c}. */
final class VendorCalls {
  private static final int NAME_BYTES = 48;
  private static final int WORDS = 24;
  private static final int WORDS_AT = NAME_BYTES + 8;
  private static final int DATA_AT = WORDS_AT + 8 * WORDS + 8;
  private static final int RECORD_BYTES = DATA_AT + 256;

  private final long records;
  private final long count;
  private final long elsewhere;

  VendorCalls(Path library) {
    SymbolLookup symbols = SymbolLookup.libraryLookup(library, Arena.global());
    records = symbols.findOrThrow("outboard_records").address();
    count = symbols.findOrThrow("outboard_count").address();
    elsewhere = symbols.findOrThrow("outboard_elsewhere").address();
  }

  /**
   * A call.
   *
   * @param words arguments and members of structures, in the order of vendor.c
   * @param data bytes behind pointers
   */
  record Call(String name, List<Long> words, String data) {
    static Call of(String name, long... words) {
      return new Call(name, Arrays.stream(words).boxed().toList(), "");
    }

    Call with(byte[] bytes) {
      return new Call(name, words, HexFormat.of().formatHex(bytes));
    }

    Call with(String text) {
      return with(text.getBytes(UTF_8));
    }

    @Override
    public String toString() {
      List<String> hex = words.stream().map(Long::toHexString).toList();
      return name + hex + (data.isEmpty() ? "" : " " + data);
    }
  }

  /** Those since this was asked last. */
  List<Call> take() {
    List<Call> calls = new ArrayList<>();
    for (long i = 0; i < Native.getLong(count); i++) {
      calls.add(at(records + i * RECORD_BYTES));
    }
    Native.putLong(count, 0);
    return calls;
  }

  private static Call at(long record) {
    List<Long> words = new ArrayList<>();
    for (long i = 0; i < Native.getLong(record + NAME_BYTES); i++) {
      words.add(Native.getLong(record + WORDS_AT + 8 * i));
    }
    byte[] data = new byte[(int) Native.getLong(record + DATA_AT - 8)];
    for (int i = 0; i < data.length; i++) {
      data[i] = Native.getByte(record + DATA_AT + i);
    }
    String name = Native.MEMORY.getString(record);
    return new Call(name, words, HexFormat.of().formatHex(data));
  }

  /** Page-locked memory lies so many bytes beside its own address for devices, from now on. */
  void elsewhere(long bytes) {
    Native.putLong(elsewhere, bytes);
  }
}
