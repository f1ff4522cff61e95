// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.c;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.emit.text.Emitter;
import io.outboard.codegen.emit.text.Notice;
import io.outboard.codegen.model.Entry;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.HandleUse;
import io.outboard.codegen.model.Kind;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Parameter;
import io.outboard.codegen.model.Symbol;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The symbols of a library as programs find them: each looks at what its entry names, in the
 * vendor's order, and then calls the function of its name in the library's own C.
 */
public final class CGates implements Emitter {
  @Override
  public String emit(Library library) {
    String name = library.name();
    Code code = Code.c().add(Notice.c(library));
    code.add("#define OUTBOARD_%s_SYMBOLS\n", name.toUpperCase(Locale.ROOT));
    code.add(
        """
        #include "%1$s.remote.h"

        static inline int32_t enter_(uint32_t entry_, const void *stream_) {
        bool usual_ = __builtin_expect(atomic_load_explicit(&%1$s_unusual, memory_order_relaxed) == 0, 1);
        bool named_ = (entry_ & OB_ENTRY_STREAMED) == 0 || (uintptr_t)stream_ > 2;
        return usual_ && named_ && (entry_ & OB_ENTRY_NEED) < OB_ENTRY_CONTEXT ? 0 : %1$s_enter(entry_, stream_);
        }

        static inline OB_UNUSED bool is_observed_(void) {
        return (atomic_load_explicit(&%1$s_unusual, memory_order_relaxed) & OB_UNUSUAL_OBSERVED) != 0;
        }

        /* One of these kinds by its bits; the call itself knows whether it is alive. */
        static inline OB_UNUSED bool is_(const void *handle_, uint64_t kinds_) {
        return __builtin_expect(ob_handle_formed((uint64_t)(uintptr_t)handle_, kinds_), 1);
        }
        """,
        name);
    CTypes types = new CTypes(library);
    library.functions().stream()
        .filter(function -> library.knows(function.name()))
        .forEach(function -> function(code, library, types, function));
    library.refused().stream()
        .filter(symbol -> !symbol.debugger())
        .forEach(symbol -> refused(code, library, symbol));
    return code.toString();
  }

  private static void function(Code code, Library library, CTypes types, Function function) {
    Stream.concat(Stream.of(function.name()), function.variants().stream())
        .filter(library::knows)
        .forEach(symbol -> symbol(code, library, types, function, symbol));
  }

  private static void symbol(
      Code code, Library library, CTypes types, Function function, String symbol) {
    Entry entry = library.entry(function.name());
    List<CPrototype.Declared> parameters =
        CPrototype.of(types.prototype(function, function.name()));
    String arguments =
        parameters.stream().map(CPrototype.Declared::name).collect(Collectors.joining(", "));
    code.add("\n%s;", types.prototype(function, "own_" + symbol));
    Integer callback = library.callbacks().get(symbol);
    String whole = callback == null ? symbol : "unseen_" + symbol;
    String body = entry.ends() == 0 ? whole : "judged_" + symbol;
    code.add("%s%s {", body.equals(symbol) ? "" : "static ", types.prototype(function, body));
    if (!types.prototype(function, symbol).startsWith(library.resultType() + " ")) {
      code.add("return own_%s(%s);\n}", symbol, arguments);
      return;
    }
    parameters.forEach(parameter -> early(code, entry, parameter, Entry.Turn.AT_ONCE));
    boolean streamed = parameters.stream().anyMatch(CGates::isStream);
    boolean captures = !entry.handlesFirst() && !isOwnStreams(entry, symbol);
    String words = words(entry, streamed, captures);
    code.add("int32_t result_ = enter_(%s, %s);", words, stream(parameters, symbol));
    code.add("if (result_ != 0) {\nreturn result_;\n}");
    parameters.forEach(parameter -> early(code, entry, parameter, Entry.Turn.FIRST));
    parameters.forEach(
        parameter ->
            kind(library, parameter.type())
                .ifPresentOrElse(
                    kind ->
                        handle(
                            code,
                            function,
                            kind,
                            entry,
                            parameter.name(),
                            Function.perThread(symbol)),
                    () -> value(code, library, function, entry, parameter)));
    if (entry.handlesFirst()) {
      code.add("result_ = enter_(OB_ENTRY_%s, NULL);", entry.capture());
      code.add("if (result_ != 0) {\nreturn result_;\n}");
    }
    late(code, library, entry);
    code.add("return own_%s(%s);\n}", symbol, arguments);
    if (entry.ends() != 0) {
      String linkage = whole.equals(symbol) ? "" : "static ";
      code.add("%s%s {", linkage, types.prototype(function, whole));
      ending(code, library, entry, body + "(" + arguments + ")", stream(parameters, symbol));
    }
    if (callback != null) {
      seen(code, library, types.prototype(function, symbol), symbol, callback, parameters);
    }
  }

  /** A result of the function ends the capture of its stream. */
  private static void ending(Code code, Library library, Entry entry, String call, String stream) {
    code.add(
        """
        int32_t result_ = %1$s;
        if (__builtin_expect(result_ == %2$d, 0)) {
        %3$s_ends_capture(%4$s);
        }
        return result_;
        }
        """,
        call, entry.ends(), library.name(), stream);
  }

  private static void late(Code code, Library library, Entry entry) {
    if (entry.late()) {
      code.add("result_ = %s_older();", library.name());
      code.add("if (result_ != 0) {\nreturn result_;\n}");
    }
  }

  /** A tool that observes the process is told of the call before and after it. */
  private static void seen(
      Code code,
      Library library,
      String prototype,
      String symbol,
      int callback,
      List<CPrototype.Declared> parameters) {
    String arguments =
        parameters.stream().map(CPrototype.Declared::name).collect(Collectors.joining(", "));
    code.add("%s {", prototype);
    code.add("if (__builtin_expect(!is_observed_(), 1)) {");
    code.add("return unseen_%s(%s);\n}", symbol, arguments);
    if (!parameters.isEmpty()) {
      code.add("struct {");
      parameters.forEach(parameter -> code.add("%s;", declaration(parameter)));
      code.add("} arguments_ = {%s};", arguments);
    }
    code.add(
        """
        ob_observed call_ = {.function = %1$d, .name = "%2$s", .arguments = %3$s};
        %4$s_observe(&call_);
        call_.result = unseen_%2$s(%5$s);
        ob_observed_leaves(&call_);
        return call_.result;
        }
        """,
        callback, symbol, parameters.isEmpty() ? "NULL" : "&arguments_", library.name(), arguments);
  }

  private static String declaration(CPrototype.Declared parameter) {
    return parameter.function()
        ? parameter.type().replaceFirst("\\(\\*\\)", "(*" + parameter.name() + ")")
        : parameter.type() + " " + parameter.name();
  }

  /** What the entry says of the process and the thread, in the words of {@code ob_entry}. */
  private static String words(Entry entry, boolean streamed, boolean captures) {
    List<String> words = new ArrayList<>();
    if (streamed) {
      words.add("OB_ENTRY_STREAMED");
    }
    if (entry.work()) {
      words.add("OB_ENTRY_WORK");
    }
    if (entry.kept()) {
      words.add("OB_ENTRY_KEPT");
    }
    words.add(Integer.toString(entry.before()));
    if (entry.need() != Entry.Need.NOTHING) {
      words.add("OB_ENTRY_" + entry.need());
    }
    if (entry.lost()) {
      words.add("OB_ENTRY_LOST");
    }
    if (captures && entry.capture() != Entry.Capture.NONE) {
      words.add("OB_ENTRY_" + entry.capture());
    }
    return String.join(" | ", words);
  }

  /** The legacy stream has no part in a form for streams of threads. */
  private static boolean isOwnStreams(Entry entry, String symbol) {
    return entry.capture() == Entry.Capture.LEGACY && Function.perThread(symbol);
  }

  /** What is looked at before its turn. */
  private static void early(
      Code code, Entry entry, CPrototype.Declared parameter, Entry.Turn turn) {
    if (entry.rule(parameter.name()).filter(rule -> rule.turn() == turn).isPresent()) {
      absent(code, entry, parameter.name());
    }
    numbers(code, entry, parameter, turn);
    Entry.Wrong wrong = entry.wrong(parameter.name(), turn);
    if (wrong.isOwn()) {
      code.add(
          "if (%1$s != NULL && *(void *const *)%1$s == NULL) {\nreturn %2$d;\n}",
          parameter.name(), wrong.other());
    }
  }

  private static boolean isStream(CPrototype.Declared parameter) {
    return parameter.type().equals("CUstream");
  }

  private static String stream(List<CPrototype.Declared> parameters, String symbol) {
    return parameters.stream()
        .filter(CGates::isStream)
        .findFirst()
        .map(parameter -> Function.perThread(symbol) ? perThread(parameter) : parameter.name())
        .orElse("NULL");
  }

  private static String perThread(CPrototype.Declared stream) {
    return "%1$s == NULL ? (void *)2 : (void *)%1$s".formatted(stream.name());
  }

  private static Optional<Kind> kind(Library library, String type) {
    return library.kinds().stream().filter(kind -> kind.type().equals(type)).findFirst();
  }

  private static void handle(
      Code code, Function function, Kind kind, Entry entry, String parameter, boolean perThread) {
    Optional<Entry.Rule> rule = entry.rule(parameter);
    int absent = rule.filter(Entry.Rule::judged).map(Entry.Rule::code).orElse(kind.absent());
    if (absent != 0 && !(perThread && kind.perThread() != 0)) {
      code.add("if (%s == NULL) {\nreturn %d;\n}", parameter, absent);
    }
    boolean known = kind.other() != 0 || entry.wrong(parameter).isOwn();
    if (!entry.judges(parameter) || !known) {
      return;
    }
    long mask =
        function
            .parameter(parameter)
            .filter(p -> p instanceof Parameter.Value value && value.handle().present())
            .map(p -> ((Parameter.Value) p).handle())
            .map(HandleUse::mask)
            .orElse(1L << kind.id());
    long special = Math.max(0, kind.specials().stream().mapToLong(Long::longValue).max().orElse(0));
    Entry.Wrong wrong = entry.wrong(parameter);
    code.add(
        """
        if ((uint64_t)(uintptr_t)%1$s > %2$d && !is_(%1$s, 0x%3$x)) {
        return ob_handle_plausible((uint64_t)(uintptr_t)%1$s, ~(uint64_t)0) ? %4$d : %5$d;
        }
        """,
        parameter,
        special,
        mask,
        wrong.isOwn() ? wrong.other() : kind.other(),
        wrong.isOwn() ? wrong.garbage() : kind.garbage());
    if (wrong.isOwn()) {
      code.add(
          """
          if ((uint64_t)(uintptr_t)%1$s > %2$d && !ob_handle_plausible((uint64_t)(uintptr_t)%1$s, 0x%3$x)) {
          return %4$d;
          }
          """,
          parameter, special, mask, wrong.other());
    }
  }

  /** A list of handles is looked through before anybody reads as much as it is said to have. */
  private static void list(Code code, Library library, Entry entry, CPrototype.Declared parameter) {
    Optional<Entry.Rule> rule = entry.rule(parameter.name()).filter(r -> !r.where().isEmpty());
    Optional<Kind> kind = kind(library, parameter.type().replaceFirst("^const (\\w+) \\*$", "$1"));
    if (rule.isPresent() && kind.isPresent() && parameter.type().startsWith("const ")) {
      code.add(
          """
          for (uint64_t i_ = 0; i_ < %2$s; i_++) {
          if (!is_(%1$s[i_], 0x%3$x)) {
          return %4$d;
          }
          }
          """,
          parameter.name(), rule.get().where(), 1L << kind.get().id(), rule.get().code());
    }
  }

  private static void value(
      Code code, Library library, Function function, Entry entry, CPrototype.Declared parameter) {
    absent(code, entry, parameter.name());
    wrong(code, library, function, entry, parameter);
    list(code, library, entry, parameter);
    numbers(code, entry, parameter, Entry.Turn.USUAL);
  }

  private static void numbers(
      Code code, Entry entry, CPrototype.Declared parameter, Entry.Turn turn) {
    boolean wide = parameter.type().contains("64") || parameter.type().contains("long");
    String number =
        "(uint64_t)%s%s"
            .formatted(
                wide || parameter.type().equals("size_t") ? "" : "(uint32_t)", parameter.name());
    entry.numbers(parameter.name()).stream()
        .filter(rule -> rule.turn() == turn)
        .forEach(
            rule ->
                code.add(
                    "if (!(%s)) {\nreturn %d;\n}",
                    rule.allowed().stream()
                        .map(range -> allowed(number, range))
                        .collect(Collectors.joining(" || ")),
                    rule.code()));
  }

  private static String allowed(String number, Entry.Range range) {
    if (range.mask() != -1) {
      number = "(%s & 0x%xu)".formatted(number, range.mask());
    }
    return range.from() == 0
        ? "%s <= 0x%x".formatted(number, range.to())
        : "(%1$s >= 0x%2$x && %1$s <= 0x%3$x)".formatted(number, range.from(), range.to());
  }

  /** An ordinal of no device, managed memory, and an empty text. */
  private static void wrong(
      Code code, Library library, Function function, Entry entry, CPrototype.Declared parameter) {
    Entry.Wrong wrong = entry.wrong(parameter.name());
    if (!wrong.isOwn()) {
      return;
    }
    String word = "*%2$s == 0";
    if (function.parameter(parameter.name()).filter(Parameter::hasOrdinals).isPresent()) {
      word = "%1$s_ordinal_for_backend(%2$s, &(int){0}) != 0";
    } else if (parameter.type().equals(library.addressType())) {
      word = "%1$s_is_managed(%2$s)";
    }
    code.add(
        "if (%s) {\nreturn %d;\n}",
        word.formatted(library.name(), parameter.name()), wrong.other());
  }

  private static void absent(Code code, Entry entry, String parameter) {
    entry
        .rule(parameter)
        .filter(rule -> rule.code() != 0)
        .ifPresent(
            rule ->
                code.add(
                    "if (%s == 0%s) {\nreturn %d;\n}",
                    parameter,
                    rule.where().isEmpty() ? "" : " && " + rule.where() + " != 0",
                    rule.code()));
  }

  /** Of one that no method describes nothing is known but what its entry says. */
  private static void refused(Code code, Library library, Symbol symbol) {
    Entry entry = library.entry(symbol.name());
    code.add("\nOB_API int32_t %s(const void *first);", symbol.name());
    code.add("int32_t %s(const void *first) {\nstatic bool said_;", symbol.name());
    code.add("int32_t result_ = enter_(%s, NULL);", words(entry, false, true));
    code.add("if (result_ != 0) {\nreturn result_;\n}");
    absent(code, entry, "first");
    code.add("(void)first;");
    code.add("return ob_refuse(&ob_%s, \"%s\", &said_);\n}", library.name(), symbol.name());
  }
}
