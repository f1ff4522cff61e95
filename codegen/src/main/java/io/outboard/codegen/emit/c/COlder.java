// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.c;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Older;
import io.outboard.codegen.model.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The symbols that are older forms of others: each calls the newer one. */
final class COlder {
  private final Library library;
  private final CTypes types;

  COlder(Library library, CTypes types) {
    this.library = library;
    this.types = types;
  }

  void emit(Code code) {
    List<Function> functions =
        library.functions().stream().filter(f -> f.older().isPresent()).toList();
    if (functions.stream().flatMap(f -> arguments(f).stream()).anyMatch(COlderArgument::comesOut)) {
      code.add(
          """

          /* A number in the 32 bits of an older form: the largest stands for what is larger. */
          static int narrow_(uint64_t number_) {
          return (int)(uint32_t)(number_ > UINT32_MAX ? UINT32_MAX : number_);
          }
          """);
    }
    functions.forEach(
        function ->
            Stream.concat(Stream.of(function.name()), function.variants().stream())
                .forEach(symbol -> symbol(code, function, symbol)));
  }

  /** A variant calls the variant of its ending. */
  private void symbol(Code code, Function function, String symbol) {
    Older older = function.older().orElseThrow();
    List<COlderArgument> arguments = arguments(function);
    String newer = older.as() + symbol.substring(function.name().length());
    String call =
        arguments.stream()
            .map(COlderArgument::expression)
            .collect(Collectors.joining(", ", newer + "(", ")"));
    code.add("\n%s {", types.prototype(function, symbol));
    arguments.forEach(argument -> argument.declare(code));
    if (arguments.stream().noneMatch(COlderArgument::comesOut)) {
      code.add("return %s;\n}", call);
      return;
    }
    code.add("%s result_ = %s;\nif (result_ != 0) {\nreturn result_;\n}", type(), call);
    arguments.stream()
        .filter(COlderArgument::isAddress)
        .forEach(argument -> refuse(code, argument, symbol, older));
    arguments.forEach(argument -> argument.narrow(code));
    code.add("return result_;\n}");
  }

  private String type() {
    return library.resultType();
  }

  private void refuse(Code code, COlderArgument address, String symbol, Older older) {
    code.add("if (%s > UINT32_MAX) {\nstatic bool said_;", address.local());
    if (!older.undo().isEmpty()) {
      code.add("(void)%s(%s);", older.undo(), address.local());
    }
    code.add(
        "return ob_refuse_address(&ob_%s, \"%s\", \"%s\", &said_);\n}",
        library.name(), symbol, older.as());
  }

  private List<COlderArgument> arguments(Function function) {
    Older older = function.older().orElseThrow();
    List<Parameter> taken = function(older.as()).vendors();
    boolean paired = taken.size() == older.with().size();
    List<COlderArgument> arguments = new ArrayList<>();
    for (int i = 0; i < older.with().size(); i++) {
      String text = older.with().get(i);
      arguments.add(
          new COlderArgument(
              types, text, function.parameter(text).orElse(null), paired ? taken.get(i) : null));
    }
    return arguments;
  }

  private Function function(String name) {
    return library.functions().stream()
        .filter(f -> f.name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
