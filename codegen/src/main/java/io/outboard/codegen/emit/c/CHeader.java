// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.c;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.emit.text.Emitter;
import io.outboard.codegen.emit.text.Notice;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.HandleUse;
import io.outboard.codegen.model.Kind;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Member;
import io.outboard.codegen.model.Structure;
import io.outboard.codegen.model.Target;
import io.outboard.spec.Scalar;
import java.util.Locale;
import java.util.stream.Stream;

/** The header for C programs: the library's types and prototypes in our own words. */
public final class CHeader implements Emitter {
  /** For the library's own C, which has the functions under other names. */
  private static final String NAMED =
      """
      #ifndef OUTBOARD_NAMED
      #define OUTBOARD_NAMED(symbol)
      #endif

      """;

  @Override
  public String emit(Library library) {
    CTypes types = new CTypes(library);
    String guard = "OUTBOARD_" + library.name().toUpperCase(Locale.ROOT) + "_H";
    Code code = Code.c().add(Notice.c(library));
    code.add(
        """
        #ifndef %1$s
        #define %1$s

        #include <stddef.h>
        #include <stdint.h>

        #ifdef __cplusplus
        #define OUTBOARD_C extern "C"
        #else
        #define OUTBOARD_C extern
        #endif

        %2$s#pragma GCC visibility push(default)

        """,
        guard, library.hasEntries() ? NAMED : "");
    if (!library.resultType().equals("int")) {
      code.add("typedef int %s;", library.resultType());
    }
    if (!library.addressType().equals("uint64_t") && !library.addressType().endsWith("*")) {
      code.add("typedef unsigned long long %s;", library.addressType());
    }
    for (Kind kind : library.kinds()) {
      code.add("typedef struct %1$s_st *%1$s;", kind.type());
    }
    library.structures().forEach(structure -> structure(code, types, structure));
    code.add("\n");
    library.functions().stream()
        .flatMap(function -> prototypes(library, types, function))
        .forEach(code::add);
    return code.add(
            """

            #pragma GCC visibility pop

            #undef OUTBOARD_C
            #endif
            """)
        .toString();
  }

  private static Stream<String> prototypes(Library library, CTypes types, Function function) {
    return Stream.concat(Stream.of(function.name()), function.variants().stream())
        .filter(library::knows)
        .map(
            symbol ->
                "OUTBOARD_C %s%s;"
                    .formatted(
                        types.prototype(function, symbol),
                        library.hasEntries() ? " OUTBOARD_NAMED(\"own_" + symbol + "\")" : ""));
  }

  private static void structure(Code code, CTypes types, Structure structure) {
    code.add("\ntypedef struct %s {", structure.name());
    structure.members().forEach(member -> member(code, types, member));
    code.add("} %s;", structure.name());
  }

  private static void member(Code code, CTypes types, Member member) {
    switch (member) {
      case Member.Plain plain ->
          code.add(
              "%s %s%s;",
              types.scalar(plain.type(), plain.handle(), plain.address()),
              plain.name(),
              array(plain.count()));
      case Member.Nested nested ->
          code.add("%s %s%s;", nested.structure().name(), nested.name(), array(nested.count()));
      case Member.Counted counted ->
          code.add("const %s *%s;", element(types, counted), counted.name());
      case Member.Choice choice -> {
        code.add("union {");
        choice.cases().forEach(c -> code.add("%s %s;", c.structure().name(), c.name()));
        code.add("uint8_t bytes[%d];", choice.bytes());
        code.add("} %s;", choice.name());
      }
    }
  }

  private static String element(CTypes types, Member.Counted counted) {
    return switch (counted.target()) {
      case Target.Scalars(Scalar type) -> types.scalar(type, counted.handle(), false);
      case Target.Structures(Structure structure) -> structure.name();
      case Target.Bytes(), Target.Text() -> types.scalar(Scalar.BYTE, HandleUse.NONE, false);
    };
  }

  private static String array(int count) {
    return count == 0 ? "" : "[" + count + "]";
  }
}
