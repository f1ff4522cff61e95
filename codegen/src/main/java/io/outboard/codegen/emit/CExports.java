// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit;

import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Symbol;
import java.util.stream.Stream;

/** The linker's version script: the vendor's symbols and nothing else. */
final class CExports implements Emitter {
  @Override
  public String emit(Library library) {
    Stream<String> described =
        library.functions().stream()
            .flatMap(f -> Stream.concat(Stream.of(f.name()), f.variants().stream()))
            .filter(library::exports);
    Stream<String> refused = library.refused().stream().map(Symbol::name);
    Code code = Code.c().add(Notice.c(library)).add("{").add("global:");
    Stream.concat(described, refused).sorted().forEach(symbol -> code.add("%s;", symbol));
    return code.add("local: *;").add("};").toString();
  }
}
