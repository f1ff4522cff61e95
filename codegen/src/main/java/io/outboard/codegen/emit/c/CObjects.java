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
import java.util.stream.IntStream;

/** Knowledge of the program's objects, and their owners. */
final class CObjects {
  private final Library library;
  private final Function function;
  private final Objects objects;

  CObjects(Library library, Function function) {
    this.library = library;
    this.function = function;
    this.objects = function.around().objects();
  }

  /** Declares the functions that are written by hand. */
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
        uint32_t owners, context, platform, parent, none, late, varies, ends, own[2];
        } %1$s_query;

        /* Written by hand: an answer; the first object is an owner of the other one from now on; and what is known of an object that has
         * been made. */
        int32_t %1$s_answer(const %1$s_query *query, void *object, int name, uint64_t size, void *value, uint64_t *size_ret);
        void %1$s_own(void *owner, void *owned);
        void %1$s_know(void *object, uint32_t name, const void *value, size_t bytes);
        """,
        library.name());
    declareRest(code, library);
  }

  private static void declareRest(Code code, Library library) {
    code.add(
        """

        /* Written by hand: the error of an object that lacks something, else 0; facts about one
         * object that hold for another one; and a call from which the program learns that work of
         * an object is over. The value that is returned at the work's begin is handed in at its
         * end. */
        int32_t %1$s_complete(void *object);
        void %1$s_alike(void *object, void *like);
        uint64_t %1$s_learning(void *object);
        int32_t %1$s_learnt(void *object, uint64_t learning, int32_t result);
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
    code.add(".varies = 0x%x,\n.ends = 0x%x,", query.varies(), query.ends());
    code.add(".own = {%s},\n};", own(query));
    code.add(
        "(void)flags_;\nresult_ = %s_answer(&query_, %s);\nreturn result_;\n}",
        library.name(),
        function.parameters().stream().map(Parameter::name).collect(Collectors.joining(", ")));
  }

  private static String own(Query query) {
    return IntStream.concat(IntStream.of(query.own()), IntStream.of(0))
        .limit(2)
        .mapToObj("0x%x"::formatted)
        .collect(Collectors.joining(", "));
  }

  private String first() {
    return function.firstHandle().map(Value::name).orElseThrow();
  }

  /** Before the call that travels. */
  void before(Code code) {
    for (String object : objects.complete()) {
      CEntries.first(code, "%s_complete(%s)".formatted(library.name(), object));
    }
    if (objects.learns()) {
      code.add("uint64_t learning_ = %s_learning(%s);", library.name(), first());
    }
    for (String list : objects.once()) {
      code.add("if (length_repeats(%s)) {\nreturn ob_%s.invalid_value;\n}", list, library.name());
    }
  }

  /** After the call that travels. */
  void after(Code code) {
    for (String owned : objects.owned()) {
      code.add("if (result_ == 0) {");
      code.add("%s_own(%s, %s);\n}", library.name(), first(), owned);
    }
    if (objects.learns()) {
      code.add("result_ = %s_learnt(%s, learning_, result_);", library.name(), first());
    }
    objects.mark().ifPresent(name -> mark(code, name));
    if (objects.alike()) {
      code.add("if (result_ == 0 && %s != NULL) {", made());
      code.add("%s_alike(*%s, %s);\n}", library.name(), made(), first());
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

  private String made() {
    return function.pointers().stream()
        .filter(pointer -> pointer.handle().creates())
        .map(Pointer::name)
        .findFirst()
        .orElseThrow();
  }

  private void mark(Code code, int name) {
    code.add("if (result_ == 0) {");
    code.add(
        "%s_know(%s, 0x%x, &(uint32_t){1}, sizeof(uint32_t));\n}", library.name(), first(), name);
  }

  private void know(Code code, String parameter, int name) {
    String made = made();
    code.add("if (result_ == 0 && %s != NULL) {", made);
    code.add("%s_know(*%s, 0x%x, %s);\n}", library.name(), made, name, given(parameter));
  }
}
