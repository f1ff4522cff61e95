// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.check;

import io.outboard.codegen.model.Symbol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The symbols that the vendor's library exports: lines {@code symbol base version per-thread}
 * separated by tabs; a dash for base and version where a symbol is an export only, for the version
 * alone where it is a function of an extension and no export; a base of {@code debugger} where it
 * is an export of the debugger's interface. Comments start with {@code #}.
 */
public final class SymbolsFile {
  private static final String DEBUGGER = "debugger";

  private static final Comparator<Symbol> ORDER =
      Comparator.comparing(Symbol::base)
          .thenComparing(Symbol::version)
          .thenComparing(Symbol::perThread)
          .thenComparing(Symbol::name);

  private SymbolsFile() {}

  /**
   * Reads the file.
   *
   * @throws IOException if it cannot be read or a line is not of that form
   */
  public static List<Symbol> read(Path file) throws IOException {
    List<Symbol> symbols = new ArrayList<>();
    int number = 0;
    for (String line : Files.readAllLines(file)) {
      number++;
      if (!line.isBlank() && !line.startsWith("#")) {
        symbols.add(parse(line, file + ":" + number));
      }
    }
    symbols.sort(ORDER);
    return List.copyOf(symbols);
  }

  private static Symbol parse(String line, String where) throws IOException {
    String[] fields = line.split("\t", -1);
    if (fields.length != 4 || !fields[3].matches("[01]") || !fields[2].matches("-|\\d+")) {
      throw new IOException(where + ": not \"symbol base version per-thread\" with tabs");
    }
    boolean debugger = fields[1].equals(DEBUGGER);
    boolean exportOnly = debugger || fields[1].equals("-");
    return new Symbol(
        fields[0],
        exportOnly ? "" : fields[1],
        fields[2].equals("-") ? 0 : Integer.parseInt(fields[2]),
        fields[3].equals("1"),
        debugger);
  }
}
