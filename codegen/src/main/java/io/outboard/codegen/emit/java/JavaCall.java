// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.java;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.HandleUse;
import io.outboard.codegen.model.Kind;
import io.outboard.codegen.model.Layout;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Parameter;
import io.outboard.codegen.model.Parameter.Pointer;
import io.outboard.codegen.model.Parameter.Value;
import io.outboard.codegen.model.Results;
import io.outboard.codegen.model.Structure;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The method of a dispatcher that serves one call: decodes and checks all of the request, resolves
 * handles, makes room for the reply, calls the driver, and on success binds, adopts and ends
 * handles.
 */
final class JavaCall {
  private final String bodies;
  private final Results results;
  private final boolean keepsResults;
  private final Function function;
  private final Layout request;
  private final Layout reply;
  private final JavaExpressions expressions;
  private final JavaMeter meter;

  JavaCall(String bodies, Library library, Function function) {
    this.bodies = bodies;
    this.results = library.results();
    this.keepsResults = library.keepsResults();
    this.function = function;
    this.request = Layout.request(function);
    this.reply = Layout.reply(function);
    this.expressions =
        new JavaExpressions(
            bodies,
            (pointer, type) ->
                "Native.get%s(body_ + %d)"
                    .formatted(JavaMethods.accessor(type), request.offset(pointer)));
    this.meter = new JavaMeter(function, expressions, results);
  }

  void emit(Code code) {
    code.add("\nprivate int %s(Call call_) {", function.name());
    code.add("%s.fixed(call_, %d);", bodies, request.bytes());
    if (request.bytes() > 0) {
      code.add("long body_ = call_.body();");
    }
    fixed(code);
    sizes(code);
    lengths(code);
    places(code);
    variable(code);
    resolve(code);
    room(code);
    outputs(code);
    meter.before(code, hasReply());
    String driver = driver();
    if (function.hasOutcome()) {
      code.add("int result_ = %s;", driver);
      meter.after(code);
      failure(code);
      meter.made(code);
      success(code);
      code.add("return %s;\n}", function.writtenOn().isEmpty() ? "0" : "result_");
    } else if (meter.isThere()) {
      code.add("int result_ = %s;", driver);
      meter.after(code);
      code.add("return result_;\n}");
    } else {
      code.add("return %s;\n}", driver);
    }
  }

  private void fixed(Code code) {
    if (!function.pointers().isEmpty()) {
      code.add("long presence_ = Native.getLong(body_);");
      code.add(
          "%s.presence(presence_, 0x%xL, 0x%xL);", bodies, mask(p -> true), mask(Pointer::byValue));
    }
    for (Parameter parameter : function.parameters()) {
      switch (parameter) {
        case Value value ->
            code.add(
                "%s %s = Native.get%s(%s);",
                JavaMethods.type(value.type()),
                value.name(),
                JavaMethods.accessor(value.type()),
                at("body_", request.offset(value)));
        case Parameter.Callback callback ->
            code.add(
                """
                long %1$s = Native.getLong(body_ + %2$d);
                long %3$s = %1$s;
                """,
                callback.name(), request.offset(callback), callback.userData());
        case Pointer pointer when pointer.handle().creates() -> {
          code.add(
              "long %s_new_ = Native.getLong(body_ + %d);",
              pointer.name(), request.offset(pointer));
          address(code, pointer, at("body_", request.offset(pointer)));
        }
        case Pointer pointer when pointer.inFixedRequest() && !pointer.direction().writes() ->
            address(code, pointer, at("body_", request.offset(pointer)));
        case Pointer _, Parameter.UserData _ -> {}
      }
    }
  }

  /** The library must find no more of a structure announced than there is. */
  private void sizes(Code code) {
    for (Pointer pointer : function.sized()) {
      code.add(
          """
          if ((Native.getInt(body_ + %1$d) & 0x%2$x) > %3$d) {
          return %4$d;
          }
          """,
          request.offset(pointer),
          Structure.SIZE_MASK,
          pointer.target().bytes(),
          results.versionMismatch());
    }
  }

  private void lengths(Code code) {
    for (Pointer pointer : function.pointers()) {
      if (pointer.count().isPresent()) {
        code.add(
            "long %s_bytes_ = %s ? 0 : %s;",
            pointer.name(), absent(pointer), expressions.bytes(function, pointer));
      }
    }
  }

  /** Neither what is written by hand here nor a library without results minds null. */
  private void places(Code code) {
    if (!function.isOwn() && !keepsResults) {
      return;
    }
    for (Pointer pointer : function.pointers()) {
      if (pointer.wanted() || (keepsResults && pointer.text())) {
        String any =
            pointer.count().isPresent()
                ? " && %s != 0".formatted(expressions.bytes(function, pointer))
                : "";
        code.add("if (%s%s) {\nreturn %d;\n}", absent(pointer), any, results.invalidValue());
      }
    }
  }

  private void variable(Code code) {
    List<Pointer> parts =
        function.pointers().stream().filter(p -> p.inVariableRequest() || arrays(p)).toList();
    if (parts.isEmpty()) {
      code.add("%s.end(call_, %d);", bodies, request.bytes());
      return;
    }
    code.add("int at_ = %d;", request.bytes());
    for (Pointer pointer : parts) {
      if (pointer.inVariableRequest()) {
        part(code, pointer);
      }
      if (arrays(pointer)) {
        arrays(code, pointer);
      }
    }
    code.add("%s.end(call_, at_);", bodies);
  }

  private void part(Code code, Pointer pointer) {
    String data =
        pointer.text()
            ? "text(call_, at_, word_)"
            : "data(call_, at_, word_, %s_bytes_)".formatted(pointer.name());
    code.add(
        """
        long %1$s = 0;
        if (%2$s) {
        long word_ = %3$s.word(call_, at_);
        %1$s = %3$s.%4$s;
        at_ = %3$s.after(at_, word_);
        }
        """,
        in(pointer), present(pointer), bodies, data);
  }

  private void arrays(Code code, Pointer pointer) {
    elements(code, pointer, in(pointer));
    code.add("at_ = parts%s(call_, element_, at_);\n}", pointer.structure().orElseThrow().name());
  }

  private void resolve(Code code) {
    for (Parameter parameter : function.parameters()) {
      switch (parameter) {
        case Value value when value.handle().present() -> {
          keepOwn(code, value);
          code.add(
              """
              long %1$s_value_ = %2$s(call_, %1$s);
              if (%1$s_value_ == Handles.INVALID) {
              return %3$d;
              }
              """,
              value.name(), JavaHandles.resolve(value.handle()), value.handle().invalid());
        }
        case Pointer pointer when pointer.direction().reads() -> resolve(code, pointer);
        case Value _, Pointer _, Parameter.Callback _, Parameter.UserData _ -> {}
      }
    }
  }

  /** A thread's own object ends with the thread, never by a call. */
  private static void keepOwn(Code code, Value value) {
    Kind kind = value.handle().kind();
    if (value.handle().destroys() && kind.perThread() != 0) {
      code.add("if (%s == %dL) {\nreturn %d;\n}", value.name(), kind.perThread(), kind.invalid());
    }
  }

  private void resolve(Code code, Pointer pointer) {
    boolean structures = pointer.structure().filter(Structure::hasHandles).isPresent();
    if (!structures && !pointer.handle().present()) {
      return;
    }
    elements(code, pointer, source(pointer));
    if (structures) {
      code.add(
          """
          int result_ = resolve%s(call_, element_);
          if (result_ != 0) {
          return result_;
          }
          }
          """,
          pointer.structure().orElseThrow().name());
    } else {
      code.add(
          """
          long value_ = %s(call_, Native.getLong(element_));
          if (value_ == Handles.INVALID) {
          return %d;
          }
          Native.putLong(element_, value_);
          }
          """,
          JavaHandles.resolve(pointer.handle()), pointer.handle().invalid());
    }
  }

  private void room(Code code) {
    if (!hasReply()) {
      return;
    }
    List<Pointer> parts = written();
    if (parts.isEmpty()) {
      code.add("long answer_ = call_.answer(%d);", reply.bytes());
      return;
    }
    code.add("long room_ = %d;", reply.bytes());
    for (Pointer pointer : parts) {
      code.add(
          """
          if (%1$s) {
          room_ = %2$s.plus(room_, %2$s.part(%3$s_bytes_));
          }
          """,
          present(pointer), bodies, pointer.name());
    }
    code.add("long answer_ = call_.answer(%s.reply(room_));", bodies);
    code.add("long end_ = %s;", at("answer_", reply.bytes()));
  }

  private void outputs(Code code) {
    for (Pointer pointer : function.pointers()) {
      if (pointer.inFixedReply()) {
        address(code, pointer, at("answer_", reply.offset(pointer)));
        if (pointer.direction().reads()) {
          code.add(
              "Native.copy(body_ + %d, answer_ + %d, %d);",
              request.offset(pointer), reply.offset(pointer), pointer.target().wireBytes());
        }
      } else if (pointer.inVariableReply()) {
        code.add(
            """
            long %1$s = 0;
            if (%2$s) {
            Native.putLong(end_, %1$s_bytes_);
            %1$s = end_ + 8;
            end_ += %3$s.part(%1$s_bytes_);
            """,
            pointer.name(), present(pointer), bodies);
        if (pointer.direction().reads()) {
          code.add("Native.copy(%1$s, %2$s, %2$s_bytes_);", in(pointer), pointer.name());
        }
        code.add("}");
      }
    }
  }

  private String driver() {
    String arguments =
        function.parameters().stream().map(JavaCall::argument).collect(Collectors.joining(", "));
    return "drivers[%d].%s(%s)".formatted(function.number(), function.name(), arguments);
  }

  private void failure(Code code) {
    code.add("if (%s) {", function.failed("result_"));
    if (hasReply()) {
      code.add("call_.answered(0);");
    }
    code.add("return result_;\n}");
  }

  private static String argument(Parameter parameter) {
    return switch (parameter) {
      case Value value when value.handle().present() -> value.name() + "_value_";
      case Parameter.Callback callback ->
          "%1$s == 0 ? 0 : call_.callbacks().trampoline(%2$d)"
              .formatted(callback.name(), callback.position());
      case Value _, Pointer _, Parameter.UserData _ -> parameter.name();
    };
  }

  private void success(Code code) {
    for (Pointer pointer : function.pointers()) {
      if (pointer.handle().creates()) {
        bind(code, pointer);
      } else if (pointer.direction().writes()) {
        adopt(code, pointer);
      }
    }
    function.parameters().stream()
        .filter(p -> p instanceof Value value && value.handle().destroys())
        .forEach(p -> code.add("call_.handles().release(%s);", p.name()));
    function.parameters().stream()
        .filter(p -> p instanceof Value value && value.handle().gives())
        .forEach(p -> give(code, (Value) p));
    List<Pointer> parts = written();
    if (!parts.isEmpty() && parts.getLast().text()) {
      shorten(code, parts.getLast());
    }
  }

  private void bind(Code code, Pointer pointer) {
    code.add(
        """
        if (%1$s && !call_.handles().bind(%2$s_new_, %3$d, Native.getLong(%2$s), %4$s)) {
        throw new ProtocolException("a minted handle is not one");
        }
        """,
        present(pointer), pointer.name(), pointer.handle().kind().id(), parent(pointer.handle()));
  }

  private void give(Code code, Value given) {
    String owner = given.handle().parent();
    boolean made = function.pointers().stream().anyMatch(p -> p.name().equals(owner));
    code.add("call_.handles().give(%s, %s);", given.name(), made ? owner + "_new_" : owner);
  }

  private void adopt(Code code, Pointer pointer) {
    boolean structures = pointer.structure().filter(Structure::hasHandles).isPresent();
    if (structures) {
      elements(code, pointer, pointer.name());
      code.add("adopt%s(call_, element_);\n}", pointer.structure().orElseThrow().name());
    } else if (pointer.handle().present()) {
      elements(code, pointer, pointer.name());
      code.add(
          "Native.putLong(element_, %s(call_, Native.getLong(element_), %s));\n}",
          JavaHandles.adopt(pointer.handle()), parent(pointer.handle()));
    }
  }

  /** A text that is the last part ends with its NUL. */
  private void shorten(Code code, Pointer pointer) {
    code.add(
        """
        if (%1$s) {
        long text_ = %2$s.textBytes(%3$s, %3$s_bytes_);
        Native.putLong(%3$s - 8, text_);
        call_.answered((int) (%3$s - 8 - answer_ + %2$s.part(text_)));
        }
        """,
        present(pointer), bodies, pointer.name());
  }

  /** Opens a loop over the elements behind a pointer, none if it is null. */
  private void elements(Code code, Pointer pointer, String from) {
    int size = pointer.target().bytes();
    if (pointer.single()) {
      code.add("if (%s) {\nlong element_ = %s;", present(pointer), from);
    } else {
      code.add(
          "for (long element_ = %1$s, last_ = %1$s + %2$s_bytes_; element_ < last_; element_ +="
              + " %3$d) {",
          from, pointer.name(), size);
    }
  }

  private void address(Code code, Pointer pointer, String address) {
    code.add("long %s = %s ? 0 : %s;", pointer.name(), absent(pointer), address);
  }

  private long mask(Predicate<Pointer> which) {
    return function.pointers().stream()
        .filter(which)
        .mapToLong(pointer -> 1L << pointer.bit())
        .reduce(0, (a, b) -> a | b);
  }

  private boolean hasReply() {
    return reply.bytes() > 0 || !written().isEmpty();
  }

  private List<Pointer> written() {
    return function.pointers().stream().filter(Pointer::inVariableReply).toList();
  }

  private static boolean arrays(Pointer pointer) {
    return pointer.structure().filter(Structure::hasPointers).isPresent();
  }

  /** The variable that has the address of what was read. */
  private static String in(Pointer pointer) {
    return pointer.direction().writes() ? pointer.name() + "_in_" : pointer.name();
  }

  /** Where what was read lies. */
  private String source(Pointer pointer) {
    return pointer.single() ? at("body_", request.offset(pointer)) : in(pointer);
  }

  private static String at(String base, int offset) {
    return offset == 0 ? base : base + " + " + offset;
  }

  private static String parent(HandleUse handle) {
    return handle.parent().isEmpty() ? "0" : handle.parent();
  }

  private static String present(Pointer pointer) {
    return "(presence_ & 0x%xL) != 0".formatted(1L << pointer.bit());
  }

  private static String absent(Pointer pointer) {
    return "(presence_ & 0x%xL) == 0".formatted(1L << pointer.bit());
  }
}
