// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.c;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.model.Answering;
import io.outboard.codegen.model.Bytes;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Kind;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Parameter;
import io.outboard.codegen.model.Parameter.Pointer;
import io.outboard.codegen.model.Parameter.Value;
import io.outboard.codegen.model.Structure;
import io.outboard.codegen.model.Target;
import io.outboard.spec.Need;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The symbols of one function: their common part, and one that calls it for each. */
final class CEntries {
  private static final String ANSWERING =
      """

      %s {
      return %s(%s);
      }
      """;

  /** Of a fill that no stream is named for. */
  private static final String FILLING =
      """

      %s {
      int32_t result_ = %s(%s);
      return result_ == 0 ? %s : result_;
      }
      """;

  private final Library library;
  private final CTypes types;
  private final Function function;
  private final CRanges ranges;
  private final CBytes bytes;
  private final CAnswers answers;
  private final CNarrow narrow;
  private final CObjects objects;

  CEntries(Library library, CTypes types, Function function) {
    this.library = library;
    this.types = types;
    this.function = function;
    this.ranges = new CRanges(library, function);
    this.bytes = new CBytes(library, function);
    this.answers = new CAnswers(library, function);
    this.narrow = new CNarrow(library, function);
    this.objects = new CObjects(library, function);
  }

  /** Declares the hand-written functions that generated symbols call. */
  static void declare(Code code, Library library) {
    List<Function> ready = generated(library).filter(f -> f.around().ready().isPresent()).toList();
    if (!ready.isEmpty()) {
      code.add("\n/* Written by hand: 0, or the error of a program that has not come so far. */");
      ready.stream()
          .map(f -> f.around().ready().orElseThrow())
          .distinct()
          .sorted()
          .forEach(need -> code.add("int32_t %s(void);", ready(library, need)));
    }
    COrdinals.declare(code, library);
    if (generated(library).anyMatch(f -> !f.around().orderedBy().isEmpty())) {
      code.add(
          """

          /* Written by hand: OB_ORDERED for a call about a handle that may be another lane's, else 0; and that one is the caller's now. */
          uint32_t %1$s_order(const void *handle);
          /* OB_ANSWER where other processes see it too, else 0. */
          uint32_t %1$s_note_lane(const void *handle);
          """,
          library.name());
    }
    declareTouches(code, library);
    CRanges.declare(code, library);
    CBytes.declare(code, library);
    CAnswers.declare(code, library);
    CObjects.declare(code, library);
  }

  private static void declareTouches(Code code, Library library) {
    if (library.calls().stream().allMatch(f -> f.around().touches().isEmpty())) {
      return;
    }
    code.add(
        """

        /* Written by hand: the call has an order with those of other threads that touch the handle, or what the structure names, or with all where that is more than one. */
        void %s_touches(ob_call *call, const void *handle, uint32_t flags);
        """,
        library.name());
    library.calls().stream()
        .flatMap(CEntries::touchedStructures)
        .map(
            p ->
                "void %s_touches_%s(ob_call *call, const %s *%s, uint32_t flags);"
                    .formatted(library.name(), p.name(), structure(p), p.name()))
        .distinct()
        .forEach(code::add);
  }

  private static String structure(Pointer pointer) {
    return switch (pointer.target()) {
      case Target.Structures(Structure structure) -> structure.name();
      default -> throw new IllegalStateException(pointer.name());
    };
  }

  private static Stream<Pointer> touchedStructures(Function function) {
    return function.pointers().stream()
        .filter(pointer -> function.around().touches().contains(pointer.name()));
  }

  static Stream<Function> generated(Library library) {
    return library.calls().stream().filter(call -> !call.handWritten());
  }

  /** Declares the common part of generated symbols, before each is defined. */
  static void prototypes(Code code, Library library, CTypes types) {
    generated(library)
        .filter(CEntries::around)
        .forEach(call -> code.add("static %s;", types.remote(call, "symbol")));
    code.add("\n");
  }

  void emit(Code code) {
    if (around(function)) {
      common(code);
    }
    Stream.concat(Stream.of(function.name()), function.variants().stream())
        .forEach(symbol -> symbol(code, symbol));
  }

  private boolean around(String called) {
    return generated(library).anyMatch(f -> f.name().equals(called) && around(f));
  }

  private static boolean around(Function function) {
    return function.around().present();
  }

  private static String ready(Library library, Need need) {
    return library.name() + (need == Need.INITIALIZED ? "_driver_ready" : "_context_ready");
  }

  // ---- what the symbols have in common

  private void common(Code code) {
    objects.ask(code);
    code.add("\nstatic %s {\nint32_t result_ = 0;", types.remote(function, "symbol"));
    function.around().ready().ifPresent(need -> first(code, ready(library, need) + "()"));
    if (bytes.moved()) {
      bytes.copy(code);
      return;
    }
    if (objects.asks()) {
      objects.answer(code);
      return;
    }
    bytes.fill(code);
    translated().forEach(parameter -> own(code, parameter));
    arrays().forEach(pointer -> array(code, pointer));
    given().forEach(handle -> code.add("flags_ |= %s_note_lane(%s);", library.name(), handle));
    ranges.before(code);
    narrow.before(code);
    objects.before(code);
    answers.before(code);
    code.add("if (result_ == 0) {");
    code.add("result_ = remote_%s(%s);\n}", function.name(), arguments());
    translated().forEach(parameter -> back(code, parameter));
    arrays().forEach(pointer -> code.add("free(%s_own_);", pointer.name()));
    ranges.after(code);
    narrow.after(code);
    answers.after(code);
    objects.after(code);
    function.around().notesLane().stream()
        .filter(handle -> !isGiven(handle))
        .forEach(handle -> note(code, handle));
    code.add("return result_;\n}");
  }

  /** Something that must succeed before the call. */
  static void first(Code code, String attempt) {
    code.add("result_ = %s;\nif (result_ != 0) {\nreturn result_;\n}", attempt);
  }

  /** Handles that the call is given and that are the caller's now. */
  private List<String> given() {
    return function.around().notesLane().stream().filter(this::isGiven).toList();
  }

  private boolean isGiven(String handle) {
    return function.parameter(handle).orElseThrow() instanceof Value;
  }

  private void note(Code code, String handle) {
    code.add("if (result_ == 0 && %s != NULL) {", handle);
    code.add("%s_note_lane(*%s);\n}", library.name(), handle);
  }

  private List<Parameter> translated() {
    return function.parameters().stream()
        .filter(Parameter::hasOrdinals)
        .filter(parameter -> !isArray(parameter))
        .toList();
  }

  private List<Pointer> arrays() {
    return function.pointers().stream()
        .filter(Pointer::hasOrdinals)
        .filter(CEntries::isArray)
        .toList();
  }

  private static boolean isArray(Parameter parameter) {
    return parameter instanceof Pointer pointer && !pointer.single();
  }

  private String arguments() {
    String flags =
        function.around().orderedBy().stream()
            .map(handle -> " | %s_order(%s)".formatted(library.name(), handle))
            .collect(Collectors.joining("", "flags_", ""));
    return Stream.concat(function.parameters().stream().map(this::argument), Stream.of(flags))
        .collect(Collectors.joining(", "));
  }

  private String argument(Parameter parameter) {
    if (!parameter.hasOrdinals()) {
      return narrow.has(parameter.name())
          ? "&" + parameter.name() + "_own_"
          : ranges.argument(parameter);
    }
    boolean place = parameter instanceof Pointer pointer && pointer.single() && !pointer.byValue();
    return (place ? "&" : "") + parameter.name() + "_own_";
  }

  /** A copy of what is translated, in the backend's numbers. */
  private void own(Code code, Parameter parameter) {
    String name = parameter.name();
    switch (parameter) {
      case Value _ -> {
        code.add("int %s_own_ = 0;", name);
        first(code, "%1$s_ordinal_for_backend(%2$s, &%2$s_own_)".formatted(library.name(), name));
      }
      case Pointer pointer -> {
        if (!pointer.byValue()) {
          code.add("if (%s == NULL) {\nreturn ob_%s.invalid_value;\n}", name, library.name());
        }
        String from = pointer.byValue() ? name : "*" + name;
        code.add("%1$s %2$s_own_ = %3$s;", types.element(pointer), name, from);
        if (pointer.direction().reads()) {
          first(code, translation(pointer, "for_backend", "&" + name + "_own_"));
        }
      }
      case Parameter.Callback _, Parameter.UserData _ -> {}
    }
  }

  private String translation(Pointer pointer, String side, String place) {
    return pointer
        .structure()
        .map(structure -> "%s_%s(%s)".formatted(structure.name(), side, place))
        .orElseGet(() -> "%1$s_ordinal_%2$s(*(%3$s), %3$s)".formatted(library.name(), side, place));
  }

  private void array(Code code, Pointer pointer) {
    code.add(
        """
        int64_t %1$s_bytes_ = %1$s == NULL ? -1 : %3$s;
        if (%1$s_bytes_ < 0) {
        return ob_%5$s.invalid_value;
        }
        %2$s *%1$s_own_ = malloc((size_t)%1$s_bytes_ + 1);
        if (%1$s_own_ == NULL) {
        return ob_%5$s.out_of_memory;
        }
        memcpy(%1$s_own_, %1$s, (size_t)%1$s_bytes_);
        for (int64_t i_ = 0; result_ == 0 && i_ < %1$s_bytes_ / %4$d; i_++) {
        result_ = %6$s;
        }
        """,
        pointer.name(),
        types.element(pointer),
        CExpressions.bytes(function, pointer),
        pointer.target().bytes(),
        library.name(),
        translation(pointer, "for_backend", pointer.name() + "_own_ + i_"));
  }

  /** The output, in the program's numbers. */
  private void back(Code code, Parameter parameter) {
    if (parameter instanceof Pointer pointer && pointer.direction().writes()) {
      String name = pointer.name();
      code.add("if (result_ == 0) {");
      code.add("result_ = %s;\n}", translation(pointer, "for_program", "&" + name + "_own_"));
      code.add("if (result_ == 0) {\n*%1$s = %1$s_own_;\n}", name);
    }
  }

  // ---- the symbols

  private void symbol(Code code, String symbol) {
    boolean perThread = Function.perThread(symbol);
    boolean inStream = perThread && !function.inStream().isEmpty() && !copies();
    String called = inStream ? function.inStream() : function.name();
    String arguments =
        Stream.concat(
                function.parameters().stream().map(this::given),
                Stream.of(
                    (inStream ? "NULL, " : "") + (perThread ? "OB_PER_THREAD" : "0") + doubts()))
            .collect(Collectors.joining(", "));
    code.add(
        function.returned().map(this::returning).orElse(answering()),
        types.prototype(function, symbol),
        (around(called) ? "symbol_" : "remote_") + called,
        arguments,
        fillsAtOnce() ? filled(perThread) : "");
  }

  private String answering() {
    if (library.keepsResults()) {
      return "\n%%s {\n%s_keep(%%s(%%s));\n}".formatted(library.name());
    }
    return fillsAtOnce() ? FILLING : ANSWERING;
  }

  /** A fill whose other form is in the order of a stream. */
  private boolean fillsAtOnce() {
    return library.hasEntries()
        && !function.inStream().isEmpty()
        && function.parameter("value").isPresent();
  }

  private String filled(boolean perThread) {
    String address = addresses().findFirst().orElseThrow().name();
    String flags = perThread ? "OB_PER_THREAD" : "0";
    return "%s_filled(%s, %s, %s)".formatted(library.name(), address, extent(), flags);
  }

  /** A posted call whose memory may not be there is answered, so that the error is its own. */
  private String doubts() {
    if (!library.hasEntries() || function.answering() != Answering.ASYNC || copies()) {
      return "";
    }
    if (values().anyMatch(CEntries::isBounded)) {
      return " | OB_ANSWER";
    }
    if (values().anyMatch(CEntries::isEvent) && function.parameter("flags").isPresent()) {
      return " | %s_doubt_event(flags)".formatted(library.name());
    }
    return addresses().map(address -> " | " + doubt(address.name())).collect(Collectors.joining());
  }

  private Stream<Value> values() {
    return function.parameters().stream().filter(Value.class::isInstance).map(Value.class::cast);
  }

  private Stream<Value> addresses() {
    return values().filter(Value::address);
  }

  private static boolean isEvent(Value value) {
    return value.handle().kinds().stream().anyMatch(kind -> kind.name().equals("event"));
  }

  private static boolean isBounded(Value value) {
    return value.handle().kinds().stream().anyMatch(Kind::bounded);
  }

  /** Values of several bytes lie at a multiple of their size, and so do rows, which do not meet. */
  private String doubt(String address) {
    String known = "%s_doubt(%s, %s)".formatted(library.name(), address, extent());
    if (function.parameter("value").isEmpty()) {
      return known;
    }
    String wrong =
        function.parameter("pitch").isEmpty()
            ? "%s %% sizeof value != 0".formatted(address)
            : "(%s | pitch) %% sizeof value != 0 || pitch < width * sizeof value"
                .formatted(address);
    return "(%s ? OB_ANSWER : %s)".formatted(wrong, known);
  }

  /** How many bytes there are at an address, or more; at least one. */
  private String extent() {
    if (function.parameter("pitch").isPresent()) {
      return "pitch * (height - 1) + width * sizeof value";
    }
    if (function.parameter("count").isPresent()) {
      return "(uint64_t)count * sizeof value";
    }
    return function.parameter("bytes").isPresent() ? "bytes" : "1";
  }

  /** The mover finds the form in a stream by itself. */
  private boolean copies() {
    return function.around().bytes() == Bytes.COPY;
  }

  private String given(Parameter parameter) {
    boolean returned = parameter instanceof Pointer pointer && pointer.returned();
    if (parameter instanceof Value value && !value.pairs().isEmpty()) {
      return "length_pairs(%s)".formatted(value.pairs());
    }
    if (parameter instanceof Value value && !value.values().isEmpty()) {
      return "%s_values(%s)".formatted(library.name(), value.values());
    }
    return returned ? "&made_" : parameter.name();
  }

  /** The body of a function that returns what it makes. */
  private String returning(Pointer made) {
    if (library.keepsResults()) {
      return """

      %%s {
      %1$s made_ = 0;
      %2$s_keep(%%s(%%s));
      return made_;
      }
      """
          .formatted(types.element(made), library.name());
    }
    return """

    %%s {
    %1$s made_ = 0;
    int32_t result_ = %%s(%%s);
    if (errcode_ret != NULL) {
    *errcode_ret = result_;
    }
    return %2$smade_;
    }
    """
        .formatted(types.element(made), made.handle().present() ? "" : "(void *)(uintptr_t)");
  }
}
