// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.c;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.HandleUse;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Parameter.Value;
import java.util.List;

/** The symbols that count owners of the program's objects, and the call that an end becomes. */
final class COwners {
  private final Library library;
  private final CTypes types;

  COwners(Library library, CTypes types) {
    this.library = library;
    this.types = types;
  }

  /** Declares the functions that are written by hand, and those that are generated for them. */
  static void declare(Code code, Library library) {
    if (releases(library).isEmpty()) {
      return;
    }
    code.add(
        """

        /* Written by hand: an owner more, and one fewer; false if the object is none of these kinds. */
        bool %1$s_retain(void *object, uint64_t kinds);
        bool %1$s_release(void *object, uint64_t kinds);
        /* Ends on the backend an object that has no owner left. */
        int32_t %1$s_end(uint32_t kind, void *object);
        """,
        library.name());
  }

  void emit(Code code) {
    library.functions().forEach(f -> f.owned().ifPresent(object -> symbol(code, f, object)));
    List<Function> releases = releases(library);
    if (releases.isEmpty()) {
      return;
    }
    code.add("\nint32_t %s_end(uint32_t kind, void *object) {\nswitch (kind) {", library.name());
    for (Function function : releases) {
      code.add(
          "case %d: return remote_%s(object, 0);",
          function.owned().orElseThrow().handle().kind().id(), function.name());
    }
    code.add("default: return ob_%s.invalid_value;\n}\n}", library.name());
  }

  private void symbol(Code code, Function function, Value object) {
    HandleUse handle = object.handle();
    code.add(
        """

        %s {
        return %s_%s(%s, 0x%x) ? 0 : %d;
        }
        """,
        types.prototype(function, function.name()),
        library.name(),
        handle.retains() ? "retain" : "release",
        object.name(),
        handle.mask(),
        handle.invalid());
  }

  private static List<Function> releases(Library library) {
    return library.calls().stream()
        .filter(f -> f.owned().filter(object -> object.handle().releases()).isPresent())
        .toList();
  }
}
