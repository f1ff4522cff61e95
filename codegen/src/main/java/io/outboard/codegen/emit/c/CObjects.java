// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.c;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.HandleUse;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Objects;
import io.outboard.codegen.model.Parameter;
import io.outboard.codegen.model.Parameter.Pointer;
import io.outboard.codegen.model.Parameter.Value;
import io.outboard.spec.Query;
import java.util.stream.Collectors;

/** What is known of the program's objects, and what they own. */
final class CObjects {
  private final Library library;
  private final Function function;
  private final Objects objects;

  CObjects(Library library, Function function) {
    this.library = library;
    this.function = function;
    this.objects = function.around().objects();
  }

  /** What is written by hand. */
  static void declare(Code code, Library library) {
    if (CEntries.generated(library).noneMatch(call -> call.around().objects().present())) {
      return;
    }
    code.add(
        """

        /* Asks the backend about an object. */
        typedef int32_t %1$s_ask(void *object, int name, uint64_t size, void *value, uint64_t *size_ret);

        /* Questions of one kind: for which objects, and the names of those that the frontend answers itself, 0 for none. */
        typedef struct %1$s_query {
        uint64_t kinds;
        int32_t invalid;
        %1$s_ask *ask;
        uint32_t owners, context, platform, parent, none, late, varies;
        } %1$s_query;

        /* Written by hand: an answer; the first object is an owner of the other one from now on; and what is known of an object that has
         * been made. */
        int32_t %1$s_answer(const %1$s_query *query, void *object, int name, uint64_t size, void *value, uint64_t *size_ret);
        void %1$s_own(void *owner, void *owned);
        void %1$s_know(void *object, uint32_t name, const void *value, size_t bytes);
        """,
        library.name());
  }

  /** Whether the call is a question. */
  boolean asks() {
    return objects.query().isPresent();
  }

  /** How the backend is asked, ahead of the function. */
  void ask(Code code) {
    if (!asks()) {
      return;
    }
    code.add(
        """

        static int32_t ask_%1$s(void *object_, int name_, uint64_t size_, void *value_, uint64_t *size_ret_) {
        return remote_%1$s(object_, name_, size_, value_, size_ret_, 0);
        }
        """,
        function.name());
  }

  /** The end of a function that is a question. */
  void answer(Code code) {
    Query query = objects.query().orElseThrow();
    HandleUse handle = function.firstHandle().orElseThrow().handle();
    code.add("static const %s_query query_ = {", library.name());
    code.add(".kinds = 0x%x,\n.invalid = %d,", handle.mask(), handle.invalid());
    code.add(".ask = ask_%s,", function.name());
    code.add(".owners = 0x%x,\n.context = 0x%x,", query.owners(), query.context());
    code.add(".platform = 0x%x,\n.parent = 0x%x,", query.platform(), query.parent());
    code.add(".none = 0x%x,\n.late = 0x%x,", query.none(), query.late());
    code.add(".varies = 0x%x,\n};", query.varies());
    code.add(
        "(void)flags_;\nresult_ = %s_answer(&query_, %s);\nreturn result_;\n}",
        library.name(),
        function.parameters().stream().map(Parameter::name).collect(Collectors.joining(", ")));
  }

  /** Before the call that travels. */
  void before(Code code) {
    for (String list : objects.once()) {
      code.add("if (length_repeats(%s)) {\nreturn ob_%s.invalid_value;\n}", list, library.name());
    }
  }

  /** After the call that travels. */
  void after(Code code) {
    for (String owned : objects.owned()) {
      code.add("if (result_ == 0) {");
      code.add(
          "%s_own(%s, %s);\n}",
          library.name(), function.firstHandle().map(Value::name).orElseThrow(), owned);
    }
    objects.known().forEach((parameter, name) -> know(code, parameter, name));
  }

  /** Where something lies that the program has given, and how many bytes it has. */
  private String given(String parameter) {
    return function.parameter(parameter).orElseThrow() instanceof Pointer pointer
        ? "%1$s, %1$s == NULL ? 0 : (size_t)%2$s"
            .formatted(parameter, CExpressions.bytes(function, pointer))
        : "&%1$s, sizeof %1$s".formatted(parameter);
  }

  private void know(Code code, String parameter, int name) {
    String made =
        function.pointers().stream()
            .filter(pointer -> pointer.handle().creates())
            .map(Pointer::name)
            .findFirst()
            .orElseThrow();
    code.add("if (result_ == 0 && %s != NULL) {", made);
    code.add("%s_know(*%s, 0x%x, %s);\n}", library.name(), made, name, given(parameter));
  }
}
