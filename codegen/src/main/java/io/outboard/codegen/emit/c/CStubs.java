// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.c;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.emit.text.Emitter;
import io.outboard.codegen.emit.text.Notice;
import io.outboard.codegen.emit.text.Signatures;
import io.outboard.codegen.model.Answering;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Parameter;
import io.outboard.codegen.model.Results;
import io.outboard.codegen.model.Structure;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The frontend of a library: its symbols, each of which encodes a call and sends it. */
public final class CStubs implements Emitter {
  @Override
  public String emit(Library library) {
    CTypes types = new CTypes(library);
    Code code = Code.c().add(Notice.c(library));
    code.add("#include \"%s.remote.h\"\n\n#include <stdlib.h>\n\n", library.name());
    description(code, library);
    code.add(CExpressions.SUPPORT);
    COrdinals.emit(code, library);
    CEntries.prototypes(code, library, types);
    for (Structure structure : library.structures()) {
      code.add(
          "\n_Static_assert(sizeof(%s) == %d, \"laid out as the backend expects\");",
          structure.name(), structure.bytes());
      CStructures.append(code, structure);
    }
    for (Function call : library.calls()) {
      new CCall(library, types, call).emit(code);
      if (!call.handWritten() && call.owned().isEmpty()) {
        new CEntries(library, types, call).emit(code);
      }
    }
    new COwners(library, types).emit(code);
    for (Function function : library.functions()) {
      if (function.answering() == Answering.REFUSED) {
        refused(code, library, types, function);
      }
    }
    new COlder(library, types).emit(code);
    refusals(code, library);
    return code.toString();
  }

  private static void description(Code code, Library library) {
    Results results = library.results();
    String digest =
        Stream.of(library.digest().split("(?<=\\G..)"))
            .map(b -> "0x" + b)
            .collect(Collectors.joining(", "));
    code.add("static const char *const names_[] = {\n");
    library.calls().forEach(call -> code.add("[%d] = \"%s\",\n", call.number(), call.name()));
    code.add("};\n\nstatic const char *const structures_[] = {");
    new Signatures(library).structures().forEach(structure -> code.add("\"%s\",", structure));
    code.add(
        """
        NULL,
        };

        const ob_library ob_%1$s = {
        .name = "%1$s",
        .soname = "%2$s",
        .id = %3$d,
        .level = %4$d,
        .digest = {%5$s},
        .invalid_value = %6$d,
        .not_supported = %7$d,
        .not_initialized = %8$d,
        .unavailable = %9$d,
        .out_of_memory = %10$d,
        .survives_fork = %11$b,
        .several_rings = %13$b,
        %12$s%14$s        .names = names_,
        .structures = structures_,
        };

        """,
        library.name(),
        library.soname(),
        library.id(),
        library.level(),
        digest,
        results.invalidValue(),
        results.notSupported(),
        results.notInitialized(),
        results.unavailable(),
        results.outOfMemory(),
        library.survivesFork(),
        lasting(results.lasting()),
        library.calls().stream().anyMatch(f -> !f.around().touches().isEmpty()),
        library.hasEntries() ? ".unusual = &%s_unusual,\n".formatted(library.name()) : "");
  }

  /** Nothing where no result lasts. */
  private static String lasting(List<Integer> results) {
    return results.isEmpty()
        ? ""
        : results.stream()
            .map(String::valueOf)
            .collect(Collectors.joining(", ", ".lasting = (const int32_t[]){", ", 0},\n"));
  }

  /** A function whose shape is known: objects that it would make are null. */
  private static void refused(Code code, Library library, CTypes types, Function function) {
    code.add("\n%s {\nstatic bool said_;", types.prototype(function, function.name()));
    function.parameters().stream()
        .filter(
            parameter -> !(parameter instanceof Parameter.Pointer pointer && pointer.returned()))
        .forEach(parameter -> code.add("(void)%s;", parameter.name()));
    String refuse = "ob_refuse(&ob_%s, \"%s\", &said_)".formatted(library.name(), function.name());
    if (library.keepsResults()) {
      String nothing = function.returned().isEmpty() ? "" : "\nreturn 0;";
      code.add("%s_keep(%s);%s\n}", library.name(), refuse, nothing);
      return;
    }
    if (function.returned().isEmpty()) {
      code.add("return %s;\n}", refuse);
      return;
    }
    code.add(
        """
        int32_t result_ = %s;
        if (errcode_ret != NULL) {
        *errcode_ret = result_;
        }
        return NULL;
        }
        """,
        refuse);
  }

  private static void refusals(Code code, Library library) {
    if (library.refused().isEmpty() || library.hasEntries()) {
      return;
    }
    code.add(
        """

        /* Symbols of the vendor's that are not implemented; their arguments do not matter. */
        #define REFUSE(symbol) \\
        OB_API %1$s symbol(void); \\
        %1$s symbol(void) { static bool said; %2$s; }

        """,
        library.keepsResults() ? "void" : "int32_t",
        (library.keepsResults() ? "%s_keep(%s)" : "return %2$s")
            .formatted(
                library.name(), "ob_refuse(&ob_%s, #symbol, &said)".formatted(library.name())));
    library.refused().stream()
        .filter(symbol -> !symbol.debugger())
        .forEach(symbol -> code.add("REFUSE(%s)", symbol.name()));
  }
}
