// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.c;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.emit.text.Emitter;
import io.outboard.codegen.emit.text.Notice;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Symbol;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The linker's version script: the vendor's symbols and nothing else. */
public final class CExports implements Emitter {
  @Override
  public String emit(Library library) {
    Stream<String> described =
        library.functions().stream()
            .flatMap(f -> Stream.concat(Stream.of(f.name()), f.variants().stream()))
            .filter(library::exports);
    Stream<String> refused = library.refused().stream().map(Symbol::name);
    List<String> names = Stream.concat(described, refused).sorted().toList();
    Code code = Code.c().add(Notice.c(library));
    if (!library.versionNodes().isEmpty()) {
      return nodes(code, library, names);
    }
    code.add("{").add("global:");
    names.forEach(symbol -> code.add("%s;", symbol));
    return code.add("local: *;").add("};").toString();
  }

  /** One node a version, each on top of the one before. */
  private static String nodes(Code code, Library library, List<String> names) {
    Map<Integer, List<String>> versions =
        library.symbols().stream()
            .filter(symbol -> names.contains(symbol.name()))
            .collect(
                Collectors.groupingBy(
                    Symbol::version,
                    TreeMap::new,
                    Collectors.mapping(Symbol::name, Collectors.toList())));
    String before = "";
    for (Map.Entry<Integer, List<String>> version : versions.entrySet()) {
      String node = library.versionNodes() + version.getKey() / 10 + "." + version.getKey() % 10;
      code.add("%s {", node).add("global:");
      version.getValue().stream().sorted().forEach(symbol -> code.add("%s;", symbol));
      if (before.isEmpty()) {
        code.add("local: *;");
      }
      code.add("}%s;", before.isEmpty() ? "" : " " + before);
      before = node;
    }
    return code.toString();
  }
}
