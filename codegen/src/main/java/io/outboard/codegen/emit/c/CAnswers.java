// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.c;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.model.Around;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Parameter.Pointer;
import io.outboard.codegen.model.Parameter.Value;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Answers that the frontend keeps until the program changes what they are about. */
final class CAnswers {
  private final Library library;
  private final Function function;
  private final Around around;

  CAnswers(Library library, Function function) {
    this.library = library;
    this.function = function;
    this.around = function.around();
  }

  /** Declares the functions that are written by hand. */
  static void declare(Code code, Library library) {
    if (topics(library).findAny().isEmpty()) {
      return;
    }
    code.add(
        """

        /* The subject of an answer: something with a key of its own, which may belong to a group
         * that changes together. */
        typedef struct %1$s_topic {
        uint64_t key, group;
        } %1$s_topic;

        typedef struct %1$s_question {
        uint64_t call, values[3];
        } %1$s_question;

        /* The ticket says as of when there is no answer. */
        typedef struct %1$s_inquiry {
        %1$s_topic about;
        %1$s_question asked;
        int64_t value;
        uint32_t ticket;
        } %1$s_inquiry;

        /* Written by hand: the answer, if it is kept, into the inquiry; an answer to keep, unless something has changed since; and something
         * has changed. */
        bool %1$s_remembered(%1$s_inquiry *one);
        void %1$s_remember(const %1$s_inquiry *one, int64_t value);
        void %1$s_changed(%1$s_topic about);

        /* Written by hand: topics. The subject is the call's first handle, or NULL; the device is the backend's number, or -1. */
        """,
        library.name());
    topics(library)
        .distinct()
        .sorted()
        .forEach(
            topic ->
                code.add(
                    "%1$s_topic %1$s_topic_%2$s(const void *subject, int device);",
                    library.name(), topic));
    code.add("\n");
    CEntries.generated(library)
        .filter(call -> call.around().until().isPresent())
        .forEach(call -> code.add("enum { %s = %d };", number(library, call), call.number()));
  }

  private static Stream<String> topics(Library library) {
    return CEntries.generated(library)
        .map(Function::around)
        .flatMap(around -> Stream.concat(around.until().stream(), around.changes().stream()));
  }

  private static String number(Library library, Function call) {
    return "OB_%s_CALL_%s".formatted(library.name().toUpperCase(Locale.ROOT), call.name());
  }

  /** Before the call that travels. */
  void before(Code code) {
    around
        .until()
        .ifPresent(
            topic ->
                code.add(
                    """
                    %1$s_inquiry asked_ = {.about = %2$s, .asked = {%3$s, {%4$s}}};
                    if (%5$s != NULL && %1$s_remembered(&asked_)) {
                    *%5$s = (%6$s)asked_.value;
                    return 0;
                    }
                    """,
                    library.name(),
                    topic(topic),
                    number(library, function),
                    values(),
                    answer().name(),
                    new CTypes(library).element(answer())));
  }

  /** After the call that travels. */
  void after(Code code) {
    if (around.until().isPresent()) {
      code.add("if (result_ == 0 && %s != NULL) {", answer().name());
      code.add("%s_remember(&asked_, (int64_t)*%s);\n}", library.name(), answer().name());
    }
    around.changes().ifPresent(topic -> code.add("%s_changed(%s);", library.name(), topic(topic)));
  }

  private Pointer answer() {
    return function.pointers().getFirst();
  }

  private String topic(String topic) {
    return "%s_topic_%s(%s, %s)"
        .formatted(
            library.name(),
            topic,
            function.firstHandle().map(Value::name).orElse("NULL"),
            function.parameters().stream()
                .filter(p -> p instanceof Value value && value.ordinal())
                .map(p -> p.name() + "_own_")
                .findFirst()
                .orElse("-1"));
  }

  private String values() {
    String numbers =
        function.parameters().stream()
            .filter(p -> p instanceof Value v && !v.handle().present() && !v.ordinal())
            .map(p -> "(uint64_t)" + p.name())
            .collect(Collectors.joining(", "));
    return numbers.isEmpty() ? "0" : numbers;
  }
}
