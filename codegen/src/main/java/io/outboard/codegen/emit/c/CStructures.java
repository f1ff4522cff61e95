// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.c;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.model.Member;
import io.outboard.codegen.model.Structure;

/** Sends the arrays that structures point to. */
final class CStructures {
  private CStructures() {}

  /** Emits the function that appends the arrays of one structure, if it has some. */
  static void append(Code code, Structure structure) {
    if (!structure.hasPointers()) {
      return;
    }
    code.add(
        """

        static int32_t append_%1$s(ob_call *call_, const %1$s *from_) {
        int32_t result_ = 0;
        """,
        structure.name());
    for (Member member : structure.members()) {
      switch (member) {
        case Member.Counted counted -> counted(code, counted);
        case Member.Nested nested when nested.structure().hasPointers() -> nested(code, nested);
        case Member.Nested _, Member.Plain _, Member.Choice _ -> {}
      }
    }
    code.add("return result_;\n}");
  }

  private static void counted(Code code, Member.Counted counted) {
    code.add(
        """
        if (result_ == 0 && from_->%1$s != NULL) {
        int64_t bytes_ = length_times((int64_t)from_->%2$s, %3$d);
        result_ = bytes_ < 0 ? call_->library->invalid_value : ob_append(call_, from_->%1$s, (uint64_t)bytes_);
        """,
        counted.name(), counted.count(), counted.target().bytes());
    counted
        .structure()
        .filter(Structure::hasPointers)
        .ifPresent(
            structure ->
                code.add(
                    """
                    for (int64_t i_ = 0; result_ == 0 && i_ < (int64_t)from_->%s; i_++) {
                    result_ = append_%s(call_, from_->%s + i_);
                    }
                    """,
                    counted.count(), structure.name(), counted.name()));
    code.add("}");
  }

  private static void nested(Code code, Member.Nested nested) {
    code.add(
        """
        for (int i_ = 0; result_ == 0 && i_ < %d; i_++) {
        result_ = append_%s(call_, %sfrom_->%s + i_);
        }
        """,
        nested.elements(),
        nested.structure().name(),
        nested.count() == 0 ? "&" : "",
        nested.name());
  }
}
