// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.c;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.model.Direction;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Narrowed;
import io.outboard.codegen.model.Parameter.Pointer;
import java.util.Optional;

/** A number that is not as wide in the program's memory as on the wire. */
final class CNarrow {
  private final Library library;
  private final Function function;
  private final Optional<Narrowed> narrowed;

  CNarrow(Library library, Function function) {
    this.library = library;
    this.function = function;
    this.narrowed = function.around().narrowed();
  }

  /** Whether the call that travels is given a number of its own. */
  boolean has(String parameter) {
    return narrowed.filter(one -> one.pointer().equals(parameter)).isPresent();
  }

  /** Before the call that travels. */
  void before(Code code) {
    narrowed.ifPresent(
        one -> {
          String name = one.pointer();
          code.add("if (%s == NULL) {\nreturn ob_%s.invalid_value;\n}", name, library.name());
          code.add("uint64_t %s_own_ = 0;", name);
          code.add(
              "size_t %s_width_ = %s <= %d ? sizeof(int) : sizeof(uint64_t);",
              name, one.by(), one.upTo());
          if (direction(one).reads()) {
            code.add("memcpy(&%1$s_own_, %1$s, %1$s_width_);", name);
          }
        });
  }

  /** After the call that travels. */
  void after(Code code) {
    narrowed
        .filter(one -> direction(one).writes())
        .ifPresent(
            one -> {
              code.add("if (result_ == 0) {");
              code.add("memcpy(%1$s, &%1$s_own_, %1$s_width_);\n}", one.pointer());
            });
  }

  private Direction direction(Narrowed one) {
    return ((Pointer) function.parameter(one.pointer()).orElseThrow()).direction();
  }
}
