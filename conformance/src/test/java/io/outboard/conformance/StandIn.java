// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/**
 * A library that stands in for the vendor's: every function writes down its name and its arguments
 * and returns a number of its own.
 */
final class StandIn {
  /** More than any function has. */
  static final int ARGUMENTS = 16;

  private final Path file;
  private final MemorySegment name;
  private final MemorySegment arguments;

  private StandIn(Path file) {
    SymbolLookup library = SymbolLookup.libraryLookup(file, Arena.global());
    this.file = file;
    this.name = library.findOrThrow("standin_name").reinterpret(ADDRESS.byteSize());
    this.arguments =
        library.findOrThrow("standin_arguments").reinterpret(ARGUMENTS * JAVA_LONG.byteSize());
  }

  /** Builds one with functions of these names. */
  static StandIn build(Path folder, Collection<String> functions)
      throws IOException, InterruptedException {
    Path source = folder.resolve("standin.c");
    Path library = folder.resolve("libstandin.so");
    Files.writeString(source, text(functions));
    Gcc.compile(List.of("-shared", "-fPIC", "-o", library.toString(), source.toString()));
    return new StandIn(library);
  }

  private static String text(Collection<String> functions) {
    StringBuilder text = new StringBuilder("const char *standin_name;\n");
    text.append("long standin_arguments[" + ARGUMENTS + "];\n");
    for (String function : functions) {
      text.append("int " + function + "(");
      for (int i = 0; i < ARGUMENTS; i++) {
        text.append(i == 0 ? "long a0" : ", long a" + i);
      }
      text.append(") {\n  standin_name = \"" + function + "\";\n");
      for (int i = 0; i < ARGUMENTS; i++) {
        text.append("  standin_arguments[" + i + "] = a" + i + ";\n");
      }
      text.append("  return " + result(function) + ";\n}\n");
    }
    return text.toString();
  }

  /** Returns the result of a function. */
  static int result(String function) {
    return 1000 + (function.hashCode() & 0xffff);
  }

  Path file() {
    return file;
  }

  /** The function that was called last, empty if there is none. */
  String called() {
    MemorySegment text = name.get(ADDRESS, 0);
    return text.address() == 0 ? "" : text.reinterpret(Long.MAX_VALUE).getString(0);
  }

  void forget() {
    name.set(ADDRESS, 0, MemorySegment.NULL);
  }

  /** An argument of the last call; only so many bits of it as its type has mean anything. */
  long argument(int index) {
    return arguments.getAtIndex(JAVA_LONG, index);
  }
}
