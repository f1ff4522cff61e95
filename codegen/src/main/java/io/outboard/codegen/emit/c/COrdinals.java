// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.c;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Member;
import io.outboard.codegen.model.OrdinalUse;
import io.outboard.codegen.model.Structure;
import java.util.List;

/** Translates the numbers of devices that lie in structures. */
final class COrdinals {
  private COrdinals() {}

  /** Declares the functions that are written by hand, and those that are generated for them. */
  static void declare(Code code, Library library) {
    if (library.calls().stream().noneMatch(call -> call.hasOrdinals())) {
      return;
    }
    code.add(
        """

        /* Written by hand: the backend's number of a device that the program names, and the other way round; or why there is none.
         * The library is initialised. */
        int32_t %1$s_ordinal_for_backend(int ordinal, int *backends);
        int32_t %1$s_ordinal_for_program(int backends, int *ordinal);

        """,
        library.name());
    for (Structure structure : structures(library)) {
      code.add("int32_t %s;", prototype(structure, "for_backend"));
      code.add("int32_t %s;", prototype(structure, "for_program"));
    }
  }

  static void emit(Code code, Library library) {
    for (Structure structure : structures(library)) {
      translate(code, library, structure, "for_backend");
      translate(code, library, structure, "for_program");
    }
  }

  private static List<Structure> structures(Library library) {
    return library.structures().stream().filter(Structure::hasOrdinals).toList();
  }

  private static String prototype(Structure structure, String side) {
    return "%1$s_%2$s(%1$s *in_)".formatted(structure.name(), side);
  }

  private static void translate(Code code, Library library, Structure structure, String side) {
    code.add("\nint32_t %s {\nint32_t result_ = 0;", prototype(structure, side));
    for (Member member : structure.members()) {
      switch (member) {
        case Member.Plain plain ->
            plain.ordinal().ifPresent(use -> number(code, library, plain, use, side));
        case Member.Nested nested when nested.structure().hasOrdinals() ->
            nested(code, nested, side);
        case Member.Nested _, Member.Counted _, Member.Choice _ -> {}
      }
    }
    code.add("return result_;\n}");
  }

  private static void number(
      Code code, Library library, Member.Plain plain, OrdinalUse use, String side) {
    String tag = use.tag().isEmpty() ? "" : " && in_->%s == %d".formatted(use.tag(), use.is());
    for (int i = 0; i < plain.elements(); i++) {
      String place = plain.name() + (plain.count() == 0 ? "" : "[" + i + "]");
      code.add("if (result_ == 0%s) {", tag);
      code.add(
          "result_ = %1$s_ordinal_%2$s(in_->%3$s, &in_->%3$s);\n}", library.name(), side, place);
    }
  }

  private static void nested(Code code, Member.Nested nested, String side) {
    code.add(
        """
        for (int i_ = 0; result_ == 0 && i_ < %d; i_++) {
        result_ = %s_%s(%sin_->%s + i_);
        }
        """,
        nested.elements(),
        nested.structure().name(),
        side,
        nested.count() == 0 ? "&" : "",
        nested.name());
  }
}
