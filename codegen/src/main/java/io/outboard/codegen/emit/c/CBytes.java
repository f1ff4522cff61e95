// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.c;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.model.Bytes;
import io.outboard.codegen.model.Direction;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Parameter.Pointer;
import io.outboard.codegen.model.Parameter.Value;
import java.util.List;
import java.util.function.Predicate;

/** The calls whose bytes the frontend's mover carries, and those that fill memory. */
final class CBytes {
  private final Library library;
  private final Function function;

  CBytes(Library library, Function function) {
    this.library = library;
    this.function = function;
  }

  /** Declares the functions that are written by hand. */
  static void declare(Code code, Library library) {
    if (any(library, Bytes.COPY)) {
      code.add(
          """

          /* Written by hand: the mover. A copy to a device, or from one, in the order of a stream or of the default one; a copy that is
           * later may go on when the function returns. */
          int32_t %1$s_copy_up(%2$s to, const void *from, uint64_t bytes, const void *stream, bool later, uint32_t flags);
          int32_t %1$s_copy_down(void *to, %2$s from, uint64_t bytes, const void *stream, bool later, uint32_t flags);
          """,
          library.name(), library.addressType());
    }
    if (any(library, Bytes.FILL)) {
      code.add(
          """

          /* Written by hand: fills memory that only the program has with so many values of a width. False if the device is to do it. */
          bool %1$s_fill(%2$s to, const void *value, uint64_t width, uint64_t count, const void *stream, uint32_t flags, int32_t *result);
          """,
          library.name(), library.addressType());
    }
  }

  private static boolean any(Library library, Bytes way) {
    return CEntries.generated(library).anyMatch(call -> call.around().bytes() == way);
  }

  /** Whether the mover makes the call. */
  boolean moved() {
    return function.around().bytes() == Bytes.COPY;
  }

  /** The end of the function if the mover makes the call. */
  void copy(Code code) {
    Pointer data = function.pointers().getFirst();
    String device = values(Value::address).getFirst().name();
    boolean up = data.direction() == Direction.IN;
    code.add(
        "result_ = %s_copy_%s(%s, %s, %s, %s, %b, flags_);\nreturn result_;\n}",
        library.name(),
        up ? "up" : "down",
        up ? device : data.name(),
        up ? data.name() : device,
        CExpressions.value(function, data.count().orElseThrow()),
        stream(),
        !stream().equals("NULL"));
  }

  /** Before the call that travels. */
  void fill(Code code) {
    if (function.around().bytes() != Bytes.FILL) {
      return;
    }
    List<Value> numbers = values(value -> !value.address() && !value.handle().present());
    code.add(
        """
        if (%1$s_fill(%2$s, &%3$s, sizeof %3$s, %4$s, %5$s, flags_, &result_)) {
        return result_;
        }
        """,
        library.name(),
        values(Value::address).getFirst().name(),
        numbers.get(0).name(),
        numbers.get(1).name(),
        stream());
  }

  private String stream() {
    return function.firstHandle().map(Value::name).orElse("NULL");
  }

  private List<Value> values(Predicate<Value> which) {
    return function.parameters().stream()
        .filter(Value.class::isInstance)
        .map(Value.class::cast)
        .filter(which)
        .toList();
  }
}
