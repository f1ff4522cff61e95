// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.java;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.emit.text.Room;
import io.outboard.codegen.model.Answering;
import io.outboard.codegen.model.Expression;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Layout;
import io.outboard.codegen.model.Parameter;
import io.outboard.codegen.model.Parameter.Pointer;
import io.outboard.codegen.model.Parameter.Value;
import io.outboard.codegen.model.Results;
import io.outboard.codegen.model.Structure;
import java.util.List;
import java.util.stream.Collectors;

/** The method of a JVM client that makes one call. */
final class JavaRemoteCall {
  private final String library;
  private final Results results;
  private final String bodies;
  private final Function function;
  private final Layout request;
  private final Layout reply;
  private final JavaExpressions expressions;

  JavaRemoteCall(String library, Results results, Function function) {
    this.library = library;
    this.results = results;
    this.bodies = library + "Bodies";
    this.function = function;
    this.request = Layout.request(function);
    this.reply = Layout.reply(function);
    this.expressions =
        new JavaExpressions(
            bodies,
            (pointer, type) ->
                "(%1$s == 0 ? 0 : Native.get%2$s(%1$s))"
                    .formatted(pointer.name(), JavaMethods.accessor(type)));
  }

  void emit(Code code) {
    if (function.advancing().isPresent()) {
      chunks(code, function.advancing().get());
      String head = JavaMethods.head(function).replace("@Override\npublic", "private");
      String flags = postsPieces() ? ", int flags_) {" : ") {";
      code.add(head.replace(function.name() + "(", once() + "(").replace(") {", flags));
    } else {
      code.add(JavaMethods.head(function));
      inStream(code);
    }
    sizes(code);
    lengths(code);
    begin(code);
    fixed(code);
    variable(code);
    function.around().notesLane().stream()
        .filter(handle -> function.parameter(handle).orElseThrow() instanceof Value)
        .forEach(handle -> code.add("caller.note(%s);", handle));
    if (asksAhead()) {
      String name = function.advancing().orElseThrow().name();
      String to = written().isEmpty() ? "0, 0" : "%1$s, %1$s_bytes_".formatted(name);
      code.add("return request_.ask(%s, %s);\n}", flags(), to);
    } else if (function.hasOutcome()) {
      code.add("int result_ = request_.send(%s);", flags());
      failure(code);
      outputs(code);
      code.add("return %s;\n}", function.writtenOn().isEmpty() ? "0" : "result_");
    } else {
      code.add("return request_.send(%s);\n}", flags());
    }
  }

  private String flags() {
    String answered = postsPieces() ? "flags_" : isPosted() ? "0" : "Frame.FLAG_ANSWER";
    String ordered =
        function.around().orderedBy().stream()
            .map(" | caller.order(%s)"::formatted)
            .collect(Collectors.joining("", answered, ""));
    return hasPerThreadForm() && function.inStream().isEmpty() ? ordered + " | perThread" : ordered;
  }

  private boolean isPosted() {
    return function.answering() == Answering.ASYNC;
  }

  private boolean hasPerThreadForm() {
    return function.variants().stream().anyMatch(Function::perThread);
  }

  /** The form for a stream of the thread, of a call that has none. */
  private void inStream(Code code) {
    if (!function.inStream().isEmpty()) {
      code.add(
          "if (perThread != 0) {\nreturn %s(%s, 0);\n}",
          function.inStream(), JavaMethods.arguments(function));
    }
  }

  private boolean sendsPieces() {
    return function.advancing().filter(Pointer::inVariableRequest).isPresent();
  }

  /** The form of another call without a stream waits for the last one. */
  private boolean postsPieces() {
    return isPosted() && sendsPieces();
  }

  /**
   * Pieces are asked for ahead where their bytes are all of the reply, or all that travels. They
   * are not posted: what may wait in the backend runs aside, and later calls would overtake it.
   */
  private boolean asksAhead() {
    return !isPosted()
        && function.advancing().isPresent()
        && reply.bytes() == 0
        && function.writtenOn().isEmpty()
        && written().size() == (sendsPieces() ? 0 : 1);
  }

  private void sizes(Code code) {
    for (Pointer pointer : function.sized()) {
      code.add(
          """
                    int %1$s_size_ = %1$s == 0 ? 0 : Native.getInt(%1$s) & 0x%2$x;
                    if (%1$s_size_ > %3$d) {
                    return %4$d;
                    }
                    """,
          pointer.name(), Structure.SIZE_MASK, pointer.target().bytes(), results.versionMismatch());
    }
  }

  private static String size(Pointer pointer) {
    return pointer.sized() ? pointer.name() + "_size_" : Integer.toString(pointer.target().bytes());
  }

  private void lengths(Code code) {
    for (Pointer pointer : function.pointers()) {
      if (pointer.count().isPresent()) {
        code.add(
            """
            long %1$s_bytes_ = %1$s == 0 ? 0 : %2$s;
            if (%1$s_bytes_ < 0) {
            return INVALID_VALUE;
            }
            """,
            pointer.name(), expressions.bytes(function, pointer));
      }
    }
    List<Pointer> written = written();
    if (!written.isEmpty()) {
      String room = Integer.toString(reply.bytes());
      for (Pointer pointer : written) {
        room = "%1$s.plus(%1$s.part(%2$s_bytes_), %3$s)".formatted(bodies, pointer.name(), room);
      }
      code.add("long room_ = %s;", room);
      code.add("if (room_ < 0 || room_ > Limits.REPLY) {\nreturn INVALID_VALUE;\n}");
    }
  }

  private void begin(Code code) {
    code.add(
        "Caller.Request request_ = caller.begin(%sTable.ID, %d, %d);",
        library, function.number(), request.bytes());
    if (request.bytes() > 0) {
      code.add("long body_ = request_.body();");
    }
  }

  private void fixed(Code code) {
    if (!function.pointers().isEmpty()) {
      String presence =
          function.pointers().stream()
              .map(p -> "(%s == 0 ? 0 : 0x%xL)".formatted(p.name(), 1L << p.bit()))
              .collect(Collectors.joining(" | "));
      code.add("Native.putLong(body_, %s);", presence);
    }
    for (Parameter parameter : function.parameters()) {
      switch (parameter) {
        case Value value ->
            code.add(
                "Native.put%s(body_ + %d, %s);",
                JavaMethods.accessor(value.type()), request.offset(value), value.name());
        case Pointer pointer when pointer.handle().creates() -> mint(code, pointer);
        case Pointer pointer when pointer.inFixedRequest() ->
            code.add(
                "if (%1$s != 0) {\nNative.copy(%1$s, body_ + %2$d, %3$s);\n}",
                pointer.name(), request.offset(pointer), size(pointer));
        case Parameter.Callback callback -> keep(code, callback);
        case Pointer _, Parameter.UserData _ -> {}
      }
    }
  }

  /** A function of the client never travels: it has a number. */
  private void keep(Code code, Parameter.Callback callback) {
    code.add(
        "Native.putLong(body_ + %1$d, %2$s == 0 ? 0 : caller.keep(%2$s, %3$s, %4$d, %5$b));",
        request.offset(callback),
        callback.name(),
        callback.userData(),
        callback.position(),
        callback.repeated());
  }

  private void mint(Code code, Pointer pointer) {
    code.add(
        """
        long %1$s_new_ = %1$s == 0 ? 0 : caller.mint(%2$d);
        Native.putLong(body_ + %3$d, %1$s_new_);
        """,
        pointer.name(), pointer.handle().kind().id(), request.offset(pointer));
  }

  private void variable(Code code) {
    for (Pointer pointer : function.pointers()) {
      String name = pointer.name();
      if (pointer.inVariableRequest()) {
        String bytes =
            pointer.text()
                ? "%s.textBytes(%s, Long.MAX_VALUE)".formatted(bodies, name)
                : name + "_bytes_";
        code.add("if (%1$s != 0) {\nrequest_.append(%1$s, %2$s);\n}", name, bytes);
      }
      pointer.structure().filter(Structure::hasPointers).ifPresent(s -> arrays(code, pointer, s));
    }
  }

  private void arrays(Code code, Pointer pointer, Structure structure) {
    String bytes =
        pointer.single()
            ? "(%s == 0 ? 0 : %d)".formatted(pointer.name(), structure.bytes())
            : pointer.name() + "_bytes_";
    code.add(
        """
        for (long element_ = %1$s, last_ = %1$s + %2$s; element_ < last_; element_ += %3$d) {
        if (!append%4$s(request_, element_)) {
        return INVALID_VALUE;
        }
        }
        """,
        pointer.name(), bytes, structure.bytes(), structure.name());
  }

  private void failure(Code code) {
    code.add("if (%s) {", function.failed("result_"));
    function.pointers().stream()
        .filter(p -> p.handle().creates())
        .forEach(p -> code.add("if (%1$s_new_ != 0) {\ncaller.retire(%1$s_new_);\n}", p.name()));
    code.add("return result_;\n}");
  }

  private void outputs(Code code) {
    shape(code);
    Room.check(
        code,
        function,
        "0",
        """
        if (%%1$s && %s.number(request_, %%3$d, %%4$d) > %%2$s_bytes_ / %%5$d) {
        return request_.malformed();
        }
        """
            .formatted(bodies));
    if (!written().isEmpty()) {
      code.add("int at_ = %d;", reply.bytes());
    }
    for (Pointer pointer : function.pointers()) {
      output(code, pointer);
    }
    function.parameters().stream()
        .filter(p -> p instanceof Value value && value.handle().destroys())
        .forEach(p -> code.add("caller.retire(%s);", p.name()));
  }

  /** Nothing of a reply of any other shape is used. */
  private void shape(Code code) {
    String end = Integer.toString(reply.bytes());
    if (!written().isEmpty()) {
      code.add("int end_ = %s;", end);
      end = "end_";
    }
    for (Pointer pointer : written()) {
      code.add(
          "if (%1$s != 0) {\nend_ = %2$s.past(request_, end_, %1$s_bytes_, %3$b);\n}",
          pointer.name(), bodies, pointer.text());
    }
    code.add("if (request_.replyBytes() != %s) {\nreturn request_.malformed();\n}", end);
  }

  private void output(Code code, Pointer pointer) {
    String name = pointer.name();
    if (pointer.handle().creates()) {
      String note = function.around().notesLane().contains(name) ? "caller.note(%s_new_);\n" : "";
      code.add(
          "if (%1$s != 0) {\nNative.putLong(%1$s, %1$s_new_);\n%2$s}", name, note.formatted(name));
    } else if (pointer.inFixedReply()) {
      code.add(
          "if (%1$s != 0) {\nNative.copy(request_.reply() + %2$d, %1$s, %3$s);\n}",
          name, reply.offset(pointer), size(pointer));
    } else if (pointer.inVariableReply()) {
      code.add("if (%1$s != 0) {\nat_ = %2$s.take(request_, at_, %1$s);\n}", name, bodies);
    }
  }

  /** A transfer of any size, as calls of at most a chunk. */
  private void chunks(Code code, Pointer pointer) {
    String length = ((Expression.Name) pointer.count().orElseThrow()).name();
    String arguments =
        function.parameters().stream()
            .map(Parameter::name)
            .map(
                name ->
                    name.equals(length)
                        ? "part_"
                        : moves(pointer, name) ? name + " + moved_" : name)
            .collect(Collectors.joining(", "));
    String last =
        sendsPieces() ? ", moved_ + part_ == %s ? Frame.FLAG_ANSWER : 0".formatted(length) : "";
    String call = "%s(%s%s)".formatted(once(), arguments, postsPieces() ? ", 0" : "");
    String inStream = "%sOnce(%s, 0%s)".formatted(function.inStream(), arguments, last);
    code.add(JavaMethods.head(function));
    code.add(
        """
        long moved_ = 0;
        while (true) {
        long left_ = %1$s - moved_;
        long part_ = %2$s == 0 ? left_ : Math.min(left_, Limits.CHUNK);
        int result_ = %3$s;
        moved_ += part_;
        if (result_ != 0 || moved_ == %1$s) {
        return %4$s;
        }
        }
        }
        """,
        length,
        pointer.name(),
        function.inStream().isEmpty() ? call : "perThread == 0 ? %s : %s".formatted(call, inStream),
        asksAhead() ? "caller.settle(result_)" : "result_");
  }

  private static boolean moves(Pointer pointer, String name) {
    return pointer.name().equals(name) || pointer.advancing().contains(name);
  }

  private String once() {
    return function.name() + "Once";
  }

  private List<Pointer> written() {
    return function.pointers().stream().filter(Pointer::inVariableReply).toList();
  }
}
