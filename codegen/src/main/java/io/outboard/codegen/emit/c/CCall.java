// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.c;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.emit.text.Room;
import io.outboard.codegen.emit.text.Signatures;
import io.outboard.codegen.model.Answering;
import io.outboard.codegen.model.Direction;
import io.outboard.codegen.model.Expression;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Kind;
import io.outboard.codegen.model.Layout;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Parameter;
import io.outboard.codegen.model.Parameter.Pointer;
import io.outboard.codegen.model.Parameter.Value;
import io.outboard.codegen.model.Structure;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The part of a stub that speaks to the backend: {@code remote_NAME}. */
final class CCall {
  private final Library library;
  private final CTypes types;
  private final Signatures signatures;
  private final Function function;
  private final Layout request;
  private final Layout reply;

  CCall(Library library, CTypes types, Function function) {
    this.library = library;
    this.types = types;
    this.signatures = new Signatures(library);
    this.function = function;
    this.request = Layout.request(function);
    this.reply = Layout.reply(function);
  }

  void emit(Code code) {
    boolean cut = function.advancing().isPresent();
    boolean once = cut || function.deviceWork();
    code.add("\n%s {", (once ? "static " : "") + types.remote(function, once ? "once" : "remote"));
    objects(code);
    plausible(code);
    sizes(code);
    lengths(code);
    lists(code);
    begin(code);
    mint(code);
    fixed(code);
    variable(code);
    arguments(code);
    send(code);
    if (function.hasOutcome()) {
      failure(code);
      outputs(code);
    }
    code.add("ob_log_result(&call_, result_);");
    if (library.objects()) {
      made(code);
    }
    if (!cut && waits()) {
      workSeen(code, "result_ == 0 && call_.sequence != 0");
    }
    boolean succeeded = function.hasOutcome() && function.writtenOn().isEmpty() && !waits();
    code.add("return %s;\n}", succeeded ? "0" : "result_");
    if (!cut && once) {
      work(code);
    }
    function.advancing().ifPresent(pointer -> chunks(code, pointer));
  }

  /** A call that has to do with work of a device, and what is done before it and behind it. */
  private void work(Code code) {
    code.add("\n%s {", types.remote(function, "remote"));
    workBegins(code);
    String arguments =
        Stream.concat(function.parameters().stream().map(Parameter::name), Stream.of("flags_"))
            .collect(Collectors.joining(", "));
    code.add("int32_t result_ = once_%s(%s);", function.name(), arguments);
    workBegun(code);
    code.add("return result_;\n}");
  }

  /** Whether a success may mean that work is over. */
  private boolean waits() {
    return function.deviceWork() && function.answering() != Answering.ASYNC;
  }

  private void workBegins(Code code) {
    if (function.deviceWork()) {
      code.add(
          """
          bool watched_ = %1$s_work_is_watched();
          if (watched_) {
          %1$s_work_begins(%2$b);
          }
          """,
          library.name(), function.asksForWork());
    }
  }

  private void workBegun(Code code) {
    if (function.asksForWork()) {
      code.add("if (watched_) {\n%s_work_begun();\n}", library.name());
    }
  }

  private void workSeen(Code code, String succeeded) {
    code.add(
        """
        if (%2$s && %1$s_work_is_watched()) {
        result_ = %1$s_work_seen();
        }
        """,
        library.name(), succeeded);
  }

  /** The program gives objects of its own. */
  private void objects(Code code) {
    if (!library.objects()) {
      return;
    }
    for (Value value : handles(value -> true)) {
      code.add(
          """
          uint64_t %1$s_handle_ = %2$s_handle(%1$s, 0x%3$x);
          if (%1$s_handle_ == UINT64_MAX) {
          return %4$d;
          }
          """,
          value.name(), library.name(), value.handle().mask(), value.handle().invalid());
    }
  }

  /** Lists of objects. */
  private void lists(Code code) {
    for (Pointer pointer : counted()) {
      if (isList(pointer)) {
        code.add(
            """
            const uint64_t *%1$s_handles_ = %1$s == NULL ? NULL : %2$s_handles(%1$s, (uint64_t)%1$s_bytes_, 0x%3$x, %4$d);
            if (%1$s != NULL && %1$s_handles_ == NULL) {
            return %5$d;
            }
            """,
            pointer.name(),
            library.name(),
            pointer.handle().mask(),
            pointer.bit(),
            pointer.handle().invalid());
      }
    }
  }

  private boolean isList(Pointer pointer) {
    return library.objects() && pointer.handle().present() && pointer.inVariableRequest();
  }

  /** A posted call is checked here, since its error would come late. */
  private void plausible(Code code) {
    if (function.answering() != Answering.ASYNC) {
      return;
    }
    for (Value value : handles(value -> true)) {
      String specials =
          value.handle().kinds().stream()
              .flatMap(kind -> kind.specials().stream())
              .distinct()
              .map(
                  special -> word(value) + " != " + (special < 0 ? "UINT64_MAX" : special) + " && ")
              .collect(Collectors.joining());
      code.add(
          """
          if (%s!ob_handle_plausible(%s, 0x%x)) {
          return %d;
          }
          """,
          specials, word(value), value.handle().mask(), value.handle().invalid());
    }
  }

  /** No more is read or written than the caller's structure has. */
  private void sizes(Code code) {
    for (Pointer pointer : function.sized()) {
      code.add(
          """
          uint32_t %1$s_size_ = %1$s == NULL ? 0 : *(const uint32_t *)%1$s & 0x%2$x;
          if (%1$s_size_ > sizeof *%1$s) {
          return %3$d;
          }
          """,
          pointer.name(), Structure.SIZE_MASK, library.results().versionMismatch());
    }
  }

  /** How many bytes of a single element the caller has. */
  private static String size(Pointer pointer) {
    return pointer.sized() ? pointer.name() + "_size_" : Integer.toString(pointer.target().bytes());
  }

  private void lengths(Code code) {
    for (Pointer pointer : counted()) {
      code.add(
          "int64_t %1$s_bytes_ = %1$s == NULL ? 0 : %2$s;",
          pointer.name(), CExpressions.bytes(function, pointer));
      code.add("if (%s_bytes_ < 0) {", pointer.name());
      code.add("return ob_%s.invalid_value;\n}", library.name());
    }
  }

  private void begin(Code code) {
    code.add(
        """
        ob_call call_;
        int32_t result_ = ob_begin(&call_, &ob_%s, %d, %d);
        if (result_ != 0) {
        return result_;
        }
        """,
        library.name(), function.number(), request.bytes());
    function.parameters().stream()
        .filter(parameter -> function.around().touches().contains(parameter.name()))
        .forEach(parameter -> touches(code, parameter));
  }

  private void touches(Code code, Parameter parameter) {
    String name = parameter.name();
    switch (parameter) {
      case Pointer _ -> code.add("%s_touches_%s(&call_, %s, flags_);", library.name(), name, name);
      case Value value when value.address() -> code.add("ob_touch(&call_, %s);", name);
      default -> code.add("%s_touches(&call_, %s, flags_);", library.name(), name);
    }
  }

  private void callback(Code code, Parameter.Callback callback) {
    code.add(
        "ob_set_u64(&call_, %1$d, %2$s == NULL ? 0 : ob_callback_register(%2$s, %3$s, %4$b));",
        request.offset(callback), callback.name(), callback.userData(), callback.repeated());
    if (library.hasEntries()) {
      code.add("%s_note_callback();", library.name());
    }
  }

  private void mint(Code code) {
    for (Pointer pointer : created()) {
      Kind kind = pointer.handle().kind();
      String given =
          takesGiven()
              ? "*%1$s != NULL ? (uint64_t)(uintptr_t)*%1$s : ".formatted(pointer.name())
              : "";
      code.add(
          "uint64_t %1$s_new_ = %1$s == NULL ? 0 : %2$sob_handle_mint(%3$d);",
          pointer.name(), given, kind.id());
    }
  }

  /** Whether a handle that is made may have been minted before. */
  private boolean takesGiven() {
    return function.handWritten() && !library.objects();
  }

  private void fixed(Code code) {
    if (!function.pointers().isEmpty()) {
      String presence =
          function.pointers().stream().map(CCall::presence).collect(Collectors.joining(" | "));
      code.add("ob_set_u64(&call_, 0, %s);", presence);
    }
    for (Parameter parameter : function.parameters()) {
      switch (parameter) {
        case Value value ->
            code.add(
                "ob_set(&call_, %d, &%s, %d);",
                request.offset(value), place(value), value.type().bytes());
        case Parameter.Callback callback -> callback(code, callback);
        case Pointer pointer when pointer.handle().creates() ->
            code.add("ob_set_u64(&call_, %d, %s_new_);", request.offset(pointer), pointer.name());
        case Pointer pointer when pointer.inFixedRequest() -> single(code, pointer);
        case Pointer _, Parameter.UserData _ -> {}
      }
    }
  }

  private void single(Code code, Pointer pointer) {
    int offset = request.offset(pointer);
    int bytes = pointer.target().bytes();
    if (pointer.byValue()) {
      code.add("ob_set(&call_, %d, &%s, %d);", offset, pointer.name(), bytes);
    } else {
      code.add("if (%s != NULL) {", pointer.name());
      code.add("ob_set(&call_, %d, %s, %s);\n}", offset, pointer.name(), size(pointer));
    }
  }

  private void variable(Code code) {
    for (Pointer pointer : function.pointers()) {
      String name = pointer.name();
      if (pointer.inVariableRequest()) {
        String bytes =
            pointer.text()
                ? "strlen(%s) + 1".formatted(name)
                : "(uint64_t)%s_bytes_".formatted(name);
        code.add("if (result_ == 0 && %s != NULL) {", name);
        String from = isList(pointer) ? name + "_handles_" : name;
        code.add("result_ = ob_append(&call_, %s, %s);\n}", from, bytes);
      }
      if (arrays(pointer)) {
        arrays(code, pointer);
      }
    }
  }

  private void arrays(Code code, Pointer pointer) {
    String structure = pointer.structure().orElseThrow().name();
    String name = (pointer.byValue() ? "&" : "") + pointer.name();
    if (pointer.single()) {
      code.add(
          pointer.byValue() ? "if (result_ == 0) {" : "if (result_ == 0 && %s != NULL) {", name);
      code.add("result_ = append_%s(&call_, %s);\n}", structure, name);
    } else {
      code.add(
          """
          for (int64_t i_ = 0; result_ == 0 && i_ < %1$s_bytes_ / %2$d; i_++) {
          result_ = append_%3$s(&call_, %1$s + i_);
          }
          """,
          name, pointer.target().bytes(), structure);
    }
  }

  /** For the log, which few have. */
  private void arguments(Code code) {
    String values =
        function.parameters().isEmpty()
            ? "0"
            : function.parameters().stream().map(this::logged).collect(Collectors.joining(", "));
    code.add(
        """
        if (call_.logged) {
        ob_log_arguments(&call_, "%s", (const uint64_t[]){%s}, flags_);
        }
        """,
        signatures.of(function), values);
  }

  private String logged(Parameter parameter) {
    return switch (parameter) {
      case Value value when value.handle().present() -> word(value);
      case Value value ->
          switch (value.type()) {
            case FLOAT -> "ob_float_bits(%s)".formatted(value.name());
            case DOUBLE -> "ob_double_bits(%s)".formatted(value.name());
            default -> "(uint64_t)" + value.name();
          };
      case Pointer pointer when pointer.byValue() -> "(uint64_t)(uintptr_t)&" + pointer.name();
      case Pointer pointer when isList(pointer) ->
          "(uint64_t)(uintptr_t)%s_handles_".formatted(pointer.name());
      case Pointer pointer when library.objects() && pointer.handle().creates() ->
          "%1$s == NULL ? 0 : (uint64_t)(uintptr_t)&%1$s_new_".formatted(pointer.name());
      case Pointer _, Parameter.Callback _ -> "(uint64_t)(uintptr_t)" + parameter.name();
      case Parameter.UserData _ -> "0";
    };
  }

  /** The shape of the reply to a success; the runtime takes no other. */
  private void expect(Code code) {
    List<Pointer> parts = function.pointers().stream().filter(Pointer::inVariableReply).toList();
    if (reply.bytes() == 0 && parts.isEmpty()) {
      return;
    }
    if (parts.isEmpty()) {
      code.add("ob_expect(&call_, %d, NULL, 0);", reply.bytes());
    } else {
      String all = parts.stream().map(CCall::part).collect(Collectors.joining(", "));
      code.add("const ob_part parts_[] = {%s};", all);
      code.add("ob_expect(&call_, %d, parts_, %d);", reply.bytes(), parts.size());
    }
    if (!function.writtenOn().isEmpty()) {
      String results =
          function.writtenOn().stream().map(String::valueOf).collect(Collectors.joining(", "));
      code.add("call_.also = (const int32_t[]){%s, 0};", results);
    }
  }

  private static String part(Pointer pointer) {
    return "{%1$s, (uint64_t)%1$s_bytes_, %2$b}".formatted(pointer.name(), pointer.text());
  }

  private void send(Code code) {
    expect(code);
    String send =
        switch (function.answering()) {
          case ASYNC -> "ob_send(&call_, flags_)";
          case CACHED -> "ob_send_cached(&call_)";
          case PLAIN, BLOCKING, LOCAL, SAME, REFUSED ->
              function.settles()
                  ? "ob_send_settling(&call_, flags_)"
                  : "ob_send(&call_, OB_ANSWER | flags_)";
        };
    if (function.answering() == Answering.CACHED) {
      code.add("(void)flags_;");
    }
    boolean parts = function.pointers().stream().anyMatch(p -> p.inVariableRequest() || arrays(p));
    code.add(parts ? "if (result_ == 0) {\nresult_ = " + send + ";\n}" : "result_ = " + send + ";");
  }

  private void failure(Code code) {
    code.add("if (%s) {", function.failed("result_"));
    for (Pointer pointer : created()) {
      String minted =
          takesGiven()
              ? "%1$s_new_ != 0 && *%1$s == NULL".formatted(pointer.name())
              : pointer.name() + "_new_ != 0";
      code.add("if (%s) {\nob_handle_retire(%s_new_);\n}", minted, pointer.name());
    }
    code.add("ob_log_result(&call_, result_);\nreturn result_;\n}");
  }

  private void outputs(Code code) {
    Room.check(
        code,
        function,
        "NULL",
        """
        if (%1$s && ob_number(&call_, %3$d, %4$d) > (uint64_t)%2$s_bytes_ / %5$d) {
        return ob_malformed(&call_);
        }
        """);
    for (Pointer pointer : function.pointers()) {
      String name = pointer.name();
      if (pointer.handle().creates() && library.objects()) {
        continue;
      }
      if (pointer.handle().creates()) {
        code.add("if (%s != NULL) {", name);
        code.add("*%1$s = (%2$s)(uintptr_t)%1$s_new_;\n}", name, pointer.handle().kind().type());
      } else if (pointer.inFixedReply()) {
        code.add("ob_get(&call_, %d, %s, %s);", reply.offset(pointer), name, size(pointer));
      }
    }
    for (Value value : handles(value -> value.handle().destroys())) {
      code.add("ob_handle_retire(%s);", word(value));
    }
  }

  /** Objects in the place of handles that come out. */
  private void made(Code code) {
    String first = function.firstHandle().map(Value::name).orElseGet(this::firstOfList);
    for (Pointer pointer : function.pointers()) {
      int kind = pointer.handle().present() ? pointer.handle().kind().id() : 0;
      if (pointer.handle().creates()) {
        code.add(
            """
            if (%1$s != NULL && (*%1$s = %2$s_object(%3$d, %1$s_new_, %4$s)) == NULL) {
            return ob_%2$s.out_of_memory;
            }
            """,
            pointer.name(), library.name(), kind, first);
      } else if (kind != 0 && pointer.inVariableReply()) {
        code.add(
            """
            for (int64_t i_ = 0; i_ < %1$s_bytes_ / 8; i_++) {
            %1$s[i_] = %2$s_object(%3$d, (uint64_t)(uintptr_t)%1$s[i_], %4$s);
            }
            """,
            pointer.name(), library.name(), kind, first);
      } else if (kind != 0 && pointer.inFixedReply()) {
        code.add(
            """
            if (%1$s != NULL) {
            *%1$s = %2$s_object(%3$d, (uint64_t)(uintptr_t)*%1$s, %4$s);
            }
            """,
            pointer.name(), library.name(), kind, first);
      }
    }
  }

  /** Where no object is given alone. */
  private String firstOfList() {
    return counted().stream()
        .filter(this::isList)
        .findFirst()
        .map(list -> "%1$s_bytes_ == 0 ? NULL : %1$s[0]".formatted(list.name()))
        .orElse("NULL");
  }

  /** A transfer of any size, as calls of at most a chunk. */
  private void chunks(Code code, Pointer pointer) {
    String length = ((Expression.Name) pointer.count().orElseThrow()).name();
    String arguments =
        Stream.concat(function.parameters().stream().map(Parameter::name), Stream.of("flags_"))
            .map(name -> name.equals(length) ? "part_" : name)
            .collect(Collectors.joining(", "));
    code.add("\n%s {", types.remote(function, "remote"));
    workBegins(code);
    code.add(
        """
        for (uint64_t left_ = %1$s;;) {
        uint64_t part_ = %2$s != NULL && left_ > OB_CHUNK ? OB_CHUNK : left_;
        int32_t result_ = once_%3$s(%4$s);
        left_ -= part_;
        if (result_ != 0 || left_ == 0) {
        """,
        length, pointer.name(), function.name(), arguments);
    workBegun(code);
    if (waits()) {
      workSeen(code, "result_ == 0");
    }
    code.add("return result_;\n}");
    String type = pointer.direction() == Direction.IN ? "const char" : "char";
    code.add("%1$s = (%2$s *)%1$s + part_;", pointer.name(), type);
    pointer.advancing().forEach(name -> code.add("%s += part_;", name));
    code.add("}\n}");
  }

  private static boolean arrays(Pointer pointer) {
    return pointer.structure().filter(Structure::hasPointers).isPresent();
  }

  private List<Pointer> counted() {
    return function.pointers().stream().filter(p -> p.count().isPresent()).toList();
  }

  private List<Pointer> created() {
    return function.pointers().stream().filter(p -> p.handle().creates()).toList();
  }

  private List<Value> handles(Predicate<Value> which) {
    return function.parameters().stream()
        .filter(Value.class::isInstance)
        .map(Value.class::cast)
        .filter(value -> value.handle().present())
        .filter(which)
        .toList();
  }

  private static String presence(Pointer pointer) {
    String bit = "0x%xu".formatted(1L << pointer.bit()) + (pointer.bit() > 31 ? "ll" : "");
    return pointer.byValue() ? bit : "(%s != NULL ? %s : 0)".formatted(pointer.name(), bit);
  }

  private String word(Value value) {
    return library.objects() ? value.name() + "_handle_" : "(uint64_t)(uintptr_t)" + value.name();
  }

  /** The variable with what travels. */
  private String place(Value value) {
    return library.objects() && value.handle().present() ? word(value) : value.name();
  }
}
