// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit;

import io.outboard.codegen.emit.text.Emitter;
import io.outboard.codegen.model.Answering;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Symbol;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The coverage of the vendor's library. */
final class Coverage implements Emitter {
  @Override
  public String emit(Library library) {
    StringBuilder text = new StringBuilder();
    text.append(
        """
        # Coverage of `%s`

        Generated from `%s`; %d symbols are described and %d are refused with %d%s.

        %s

        | class | functions | symbols |
        |---|---|---|
        """
            .formatted(
                library.soname(),
                library.qualifiedName(),
                symbols(library, f -> f.answering() != Answering.REFUSED),
                library.refused().size()
                    - debugger(library)
                    + symbols(library, f -> f.answering() == Answering.REFUSED),
                library.results().notSupported(),
                debugger(library) == 0
                    ? ""
                    : "; %d of the debugger's interface are refused too"
                        .formatted(debugger(library)),
                share(library)));
    counts(library, text);
    text.append(
        """

        *Custom* functions have a part of their frontend written by hand, *local* ones all of it unless they only
        count an owner. The column *frontend* says which functions are generic, that is generated whole, and why the
        others are not. A client on the JVM has all functions but the local ones, for which the interface's default
        method stands. Those of class *same* are older forms, which are generated and call the newer one. An
        *optional* function is one that a device need not have: the vendor's library does, the software GPU refuses it.

        | number | function | class | frontend | other symbols | client on the JVM |
        |---|---|---|---|---|---|
        """);
    library.functions().forEach(function -> text.append(row(function)));
    list(text, "Refused", library.refused().stream().filter(s -> !s.debugger()).toList());
    list(text, "Debugger", library.refused().stream().filter(Symbol::debugger).toList());
    return text.toString();
  }

  private static void list(StringBuilder text, String title, List<Symbol> refused) {
    if (refused.isEmpty()) {
      return;
    }
    text.append("\n## ").append(title).append("\n\n");
    if (refused.getFirst().debugger()) {
      text.append(
          "Functions and variables of the debugger's interface, refused with its own error.\n\n");
    }
    refused.stream()
        .map(Symbol::name)
        .sorted()
        .forEach(name -> text.append("`").append(name).append("`\n"));
  }

  private static int debugger(Library library) {
    return (int) library.refused().stream().filter(Symbol::debugger).count();
  }

  /** How many of the vendor's functions that travel are generated whole. */
  private static String share(Library library) {
    List<Function> calls =
        library.calls().stream().filter(call -> library.knows(call.name())).toList();
    long generic = calls.stream().filter(call -> !call.handWritten()).count();
    return "Of the vendor's %d functions that travel %d (%d %%) are generic."
        .formatted(calls.size(), generic, calls.isEmpty() ? 0 : 100 * generic / calls.size());
  }

  private static void counts(Library library, StringBuilder text) {
    Map<String, int[]> counts = new LinkedHashMap<>();
    for (Answering answering : Answering.values()) {
      if (answering != Answering.REFUSED) {
        counts.put(answering.label(), new int[2]);
      }
    }
    counts.put("custom", new int[2]);
    int[] refused = {0, library.refused().size()};
    counts.put(Answering.REFUSED.label(), refused);
    for (Function function : library.functions()) {
      int[] count = counts.get(label(function));
      count[0]++;
      count[1] += symbols(library, function);
    }
    counts.forEach(
        (label, count) ->
            text.append(
                "| %s |%s | %d |\n"
                    .formatted(label, functions(count[0], count == refused), count[1])));
  }

  private static String functions(int count, boolean optional) {
    return optional && count == 0 ? "" : " " + count;
  }

  private static String row(Function function) {
    String number = function.travels() ? Integer.toString(function.number()) : "";
    String optional = function.travels() && function.hasBody() ? ", optional" : "";
    String answering =
        label(function).equals("custom")
            ? "custom, " + function.answering().label()
            : function.answering().label();
    return "| %s | `%s` | %s | %s | %s | %s |\n"
        .formatted(
            number,
            function.name(),
            answering + optional,
            function.handWritten() ? "by hand: " + function.byHand() : "generic",
            String.join(", ", function.variants()),
            function.travels() ? "yes" : "default method");
  }

  private static String label(Function function) {
    return function.travels() && function.handWritten() ? "custom" : function.answering().label();
  }

  private static int symbols(Library library, Predicate<Function> which) {
    return library.functions().stream().filter(which).mapToInt(f -> symbols(library, f)).sum();
  }

  private static int symbols(Library library, Function function) {
    return (library.knows(function.name()) ? 1 : 0) + function.variants().size();
  }
}
