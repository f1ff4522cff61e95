// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.c;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.emit.text.Emitter;
import io.outboard.codegen.emit.text.Notice;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Symbol;
import java.util.List;
import java.util.Locale;

/** The table from which a library's own look-up of functions answers. */
public final class CSymbols implements Emitter {
  @Override
  public String emit(Library library) {
    List<Symbol> named = library.symbols().stream().filter(s -> !s.base().isEmpty()).toList();
    Code code = Code.c().add(Notice.c(library));
    if (library.hasEntries()) {
      code.add("#define OUTBOARD_%s_SYMBOLS", library.name().toUpperCase(Locale.ROOT));
    }
    code.add("#include \"%s.remote.h\"\n\n", library.name());
    String parameters = library.hasEntries() ? "const void *" : "void";
    String result = library.keepsResults() ? "void" : "int32_t";
    library.refused().stream()
        .filter(named::contains)
        .forEach(symbol -> code.add("%s %s(%s);", result, symbol.name(), parameters));
    code.add("\nconst struct ob_symbol ob_%s_symbols[] = {", library.name());
    for (Symbol symbol : named) {
      code.add(
          "{\"%s\", %d, %b, (void *)%s},",
          symbol.base(), symbol.version(), symbol.perThread(), symbol.name());
    }
    if (named.isEmpty()) {
      code.add("{\"\", 0, false, NULL},");
    }
    return code.add("};\n\nconst size_t ob_%s_symbol_count = %d;", library.name(), named.size())
        .toString();
  }
}
