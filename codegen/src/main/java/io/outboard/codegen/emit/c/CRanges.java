// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.c;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Parameter;
import io.outboard.codegen.model.Reserved;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The ranges of device addresses that a call hands out or takes back. */
final class CRanges {
  private final Library library;
  private final Function function;
  private final Optional<Reserved> reserved;
  private final Optional<String> released;

  CRanges(Library library, Function function) {
    this.library = library;
    this.function = function;
    this.reserved = function.around().reserved();
    this.released = function.around().released();
  }

  /** Declares the functions that are written by hand. */
  static void declare(Code code, Library library) {
    boolean any =
        CEntries.generated(library)
            .map(Function::around)
            .anyMatch(around -> around.reserved().isPresent() || around.released().isPresent());
    if (!any) {
      return;
    }
    code.add(
        """

        /* The facts about a range, kept while the backend takes it back. */
        typedef struct %1$s_released {
        uint64_t words[10];
        } %1$s_released;

        /* Written by hand: reserves and remembers a range that the backend has handed out, or says why there is no room for it. Without
         * a length the backend is asked. In a stream it may belong to a graph. */
        int32_t %1$s_reserve(%2$s address, uint64_t bytes);
        int32_t %1$s_reserve_in(%2$s address, uint64_t bytes, const void *stream, uint32_t flags);
        /* Forgets a range before the backend takes it back, since another thread may be given the same address at once. OB_ANSWER is
         * added to the flags where the address is unknown: then the call is answered, as it may be an error. */
        int32_t %1$s_forget_range(%2$s address, %1$s_released *kept, uint32_t *flags);
        /* The backend has not taken it back. */
        void %1$s_restore_range(const %1$s_released *kept);
        """,
        library.name(), library.addressType());
  }

  /** Before the call that travels. */
  void before(Code code) {
    reserved.ifPresent(
        range -> {
          code.add("if (%s == NULL) {", range.pointer());
          code.add("return ob_%s.invalid_value;\n}", library.name());
          code.add("%s %s_own_ = 0;", library.addressType(), range.pointer());
        });
    released.ifPresent(
        address -> {
          code.add("%s_released kept_;", library.name());
          CEntries.first(
              code, "%s_forget_range(%s, &kept_, &flags_)".formatted(library.name(), address));
        });
  }

  /** A parameter of the call that travels. */
  String argument(Parameter parameter) {
    boolean own = reserved.filter(range -> range.pointer().equals(parameter.name())).isPresent();
    return own ? "&" + parameter.name() + "_own_" : parameter.name();
  }

  /** After the call that travels. */
  void after(Code code) {
    reserved.ifPresent(range -> reserve(code, range));
    released.ifPresent(
        address -> code.add("if (result_ != 0) {\n%s_restore_range(&kept_);\n}", library.name()));
  }

  private void reserve(Code code, Reserved range) {
    String bytes =
        range
            .bytes()
            .map(length -> "(uint64_t)" + CExpressions.value(function, length))
            .orElse("0");
    String reserve =
        range.in().isEmpty()
            ? "%s_reserve(%s_own_, %s)".formatted(library.name(), range.pointer(), bytes)
            : "%s_reserve_in(%s_own_, %s, %s, flags_)"
                .formatted(library.name(), range.pointer(), bytes, range.in());
    code.add(
        """
        if (result_ == 0) {
        result_ = %1$s;
        if (result_ == 0) {
        *%2$s = %2$s_own_;
        } else {
        remote_%3$s(%4$s);
        }
        }
        """,
        reserve, range.pointer(), range.undo(), undo(range));
  }

  private String undo(Reserved range) {
    Function undo =
        library.calls().stream()
            .filter(call -> call.name().equals(range.undo()))
            .findFirst()
            .orElseThrow();
    Stream<String> arguments =
        undo.parameters().stream()
            .map(p -> p.name().equals(range.pointer()) ? p.name() + "_own_" : p.name());
    return Stream.concat(arguments, Stream.of("flags_")).collect(Collectors.joining(", "));
  }
}
