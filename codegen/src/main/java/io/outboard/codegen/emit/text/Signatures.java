// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.text;

import io.outboard.codegen.model.Expression;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.HandleUse;
import io.outboard.codegen.model.Kind;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Member;
import io.outboard.codegen.model.Parameter;
import io.outboard.codegen.model.Parameter.Pointer;
import io.outboard.codegen.model.Parameter.Value;
import io.outboard.codegen.model.Structure;
import io.outboard.codegen.model.Target;
import io.outboard.spec.Scalar;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Short texts about functions and structures for the logs of both sides: {@code
 * io.outboard.wire.CallText} has the grammar.
 */
public final class Signatures {
  private final Library library;

  public Signatures(Library library) {
    this.library = library;
  }

  /** Of a function: {@code cuMemAlloc_v2(dptr:>a,bytesize:l)}. */
  public String of(Function function) {
    String results =
        function.writtenOn().stream().map(code -> "|" + code).collect(Collectors.joining());
    return function.parameters().stream()
        .map(parameter -> parameter.name() + ":" + type(function, parameter))
        .collect(Collectors.joining(",", function.name() + "(", ")" + results));
  }

  /** Of all structures, by number. */
  public List<String> structures() {
    return library.structures().stream().map(this::of).toList();
  }

  private String type(Function function, Parameter parameter) {
    return switch (parameter) {
      case Value value -> scalar(value.type(), value.handle(), value.address());
      case Parameter.Callback _ -> "!";
      case Parameter.UserData _ -> "_";
      case Pointer pointer -> mark(pointer) + element(pointer) + count(function, pointer);
    };
  }

  private static String mark(Pointer pointer) {
    if (pointer.byValue()) {
      return "@";
    }
    return switch (pointer.direction()) {
      case IN -> "<";
      case OUT -> pointer.handle().creates() ? "+" : ">";
      case INOUT -> "=";
    };
  }

  private String element(Pointer pointer) {
    return target(pointer.target(), pointer.handle(), pointer.address());
  }

  private String target(Target target, HandleUse handle, boolean address) {
    return switch (target) {
      case Target.Scalars(Scalar type) -> scalar(type, handle, address);
      case Target.Structures(Structure structure) -> number(structure);
      case Target.Bytes() -> "B";
      case Target.Text() -> "T";
    };
  }

  private static String scalar(Scalar type, HandleUse handle, boolean address) {
    if (handle.present()) {
      return handle.kinds().stream()
          .map(Signatures::kind)
          .collect(Collectors.joining("|", "h", "."));
    }
    return address ? "a" : type.name().substring(0, 1).toLowerCase(Locale.ROOT);
  }

  private static String kind(Kind kind) {
    return kind.id() + kind.name() + (kind.perThread() == 0 ? "" : "%" + kind.perThread());
  }

  private String number(Structure structure) {
    return "S" + library.structures().indexOf(structure) + ".";
  }

  private static String count(Function function, Pointer pointer) {
    return pointer.count().map(count -> "[" + postfix(function, count) + "]").orElse("");
  }

  /** Operands before their operator, so that it can be worked out without brackets. */
  private static String postfix(Function function, Expression expression) {
    return switch (expression) {
      case Expression.Constant(long value) -> Long.toString(value);
      case Expression.Name(String name) -> name(function, name);
      case Expression.Operation(char operator, Expression left, Expression right) ->
          postfix(function, left) + " " + postfix(function, right) + " " + operator;
    };
  }

  private static String name(Function function, String name) {
    List<Parameter> parameters = function.parameters();
    int index =
        IntStream.range(0, parameters.size())
            .filter(i -> parameters.get(i).name().equals(name))
            .findFirst()
            .orElseThrow();
    return parameters.get(index) instanceof Pointer pointer
        ? "&" + index + width(pointer.target().bytes())
        : "$" + index;
  }

  private static String width(int bytes) {
    return bytes == Scalar.INT.bytes() ? "i" : "l";
  }

  private String of(Structure structure) {
    return structure.members().stream()
        .map(member -> member.name() + "@" + member.offset() + ":" + type(structure, member))
        .collect(
            Collectors.joining(",", (structure.sized() ? "z" : "") + structure.bytes() + "{", "}"));
  }

  private String type(Structure structure, Member member) {
    return switch (member) {
      case Member.Plain plain ->
          scalar(plain.type(), plain.handle(), plain.address()) + times(plain.count());
      case Member.Nested nested -> number(nested.structure()) + times(nested.count());
      case Member.Counted counted -> {
        Member.Plain count = (Member.Plain) structure.member(counted.count());
        yield "<%s[%d%s]"
            .formatted(
                target(counted.target(), counted.handle(), false),
                count.offset(),
                width(count.type().bytes()));
      }
      case Member.Choice choice ->
          choice.cases().stream()
              .map(this::cases)
              .collect(
                  Collectors.joining(
                      "",
                      "?%d(%d".formatted(structure.member(choice.tag()).offset(), choice.bytes()),
                      ")"));
    };
  }

  private String cases(Member.Case one) {
    return one.tags().stream()
        .map(tag -> tag + ",")
        .collect(Collectors.joining("", "{", number(one.structure()) + "}"));
  }

  private static String times(int count) {
    return count == 0 ? "" : "~" + count;
  }
}
