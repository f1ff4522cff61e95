// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.check;

import io.outboard.codegen.model.Answering;
import io.outboard.codegen.model.Expression;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.HandleUse;
import io.outboard.codegen.model.Kind;
import io.outboard.codegen.model.Member;
import io.outboard.codegen.model.Parameter;
import io.outboard.codegen.model.Parameter.Pointer;
import io.outboard.codegen.model.Parameter.UserData;
import io.outboard.codegen.model.Parameter.Value;
import io.outboard.codegen.model.Structure;
import io.outboard.codegen.model.Target;
import io.outboard.spec.Scalar;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The encoding of a call, as a compact text. Names of parameters are not in it, so that they may
 * change; positions ({@code $0} is the first) are.
 */
final class Encoding {
  private final Function function;

  private Encoding(Function function) {
    this.function = function;
  }

  /** The text of a call. */
  static String of(Function function) {
    String answering = function.answering() == Answering.ASYNC ? "async" : "plain";
    Encoding encoding = new Encoding(function);
    return function.parameters().stream()
        .map(encoding::parameter)
        .collect(Collectors.joining(",", answering + "(", ")" + encoding.writtenOn()));
  }

  /** The first 16 bytes of the SHA-256 over all calls, as hexadecimal digits. */
  static String digest(List<Function> functions) {
    String all =
        functions.stream()
            .filter(Function::travels)
            .map(f -> f.number() + " " + f.name() + " " + of(f) + "\n")
            .collect(Collectors.joining());
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(all.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private String writtenOn() {
    return function.writtenOn().isEmpty()
        ? ""
        : "also" + function.writtenOn().toString().replace(" ", "");
  }

  private String parameter(Parameter parameter) {
    return switch (parameter) {
      case Value value ->
          life(value.handle()) + scalar(value.type(), value.handle()) + owner(value.handle());
      case Parameter.Callback callback -> "callback(" + position(callback.userData()) + ")";
      case UserData _ -> "userdata";
      case Pointer pointer -> pointer(pointer);
    };
  }

  private String pointer(Pointer pointer) {
    String direction =
        pointer.handle().creates() ? "new" : pointer.direction().name().toLowerCase(Locale.ROOT);
    String length =
        pointer
            .count()
            .map(count -> "[" + expression(count) + "]")
            .orElse(pointer.single() ? "*" : "");
    String advancing =
        pointer.advancing().stream()
            .map(this::position)
            .map(p -> "+" + p)
            .collect(Collectors.joining());
    return direction
        + ":"
        + target(pointer.target(), pointer.handle())
        + length
        + advancing
        + owner(pointer.handle());
  }

  private String owner(HandleUse handle) {
    return handle.parent().isEmpty() ? "" : "<" + position(handle.parent());
  }

  private static String life(HandleUse handle) {
    return handle.destroys() ? "end:" : "";
  }

  private static String target(Target target, HandleUse handle) {
    return switch (target) {
      case Target.Scalars(Scalar type) -> scalar(type, handle);
      case Target.Structures(Structure structure) -> structure(structure);
      case Target.Bytes() -> "bytes";
      case Target.Text() -> "text";
    };
  }

  private static String scalar(Scalar type, HandleUse handle) {
    if (handle.present()) {
      return handle.kinds().stream().map(Kind::name).collect(Collectors.joining("|"));
    }
    return switch (type) {
      case FLOAT, DOUBLE -> "f" + 8 * type.bytes();
      default -> "i" + 8 * type.bytes();
    };
  }

  private static String structure(Structure structure) {
    return structure.members().stream()
        .map(member -> member(structure, member))
        .collect(Collectors.joining(";", "{", "}" + structure.wireBytes()));
  }

  private static String member(Structure structure, Member member) {
    return switch (member) {
      case Member.Plain plain -> scalar(plain.type(), plain.handle()) + array(plain.count());
      case Member.Nested nested -> structure(nested.structure()) + array(nested.count());
      case Member.Counted counted ->
          target(counted.target(), counted.handle())
              + "["
              + position(structure, counted.count())
              + "]*";
      case Member.Choice choice ->
          choice.cases().stream()
              .map(c -> c.tags() + structure(c.structure()))
              .map(text -> text.replace(" ", ""))
              .collect(
                  Collectors.joining(
                      "|", position(structure, choice.tag()) + "?(", ")" + choice.bytes()));
    };
  }

  /** Position of a member; an unknown one has been reported. */
  private static String position(Structure structure, String name) {
    List<String> names = structure.members().stream().map(Member::name).toList();
    return "$" + names.indexOf(name);
  }

  private static String array(int count) {
    return count == 0 ? "" : "[" + count + "]";
  }

  private String expression(Expression expression) {
    return switch (expression) {
      case Expression.Constant(long value) -> Long.toString(value);
      case Expression.Name(String name) -> position(name);
      case Expression.Operation(char operator, Expression left, Expression right) ->
          "(" + expression(left) + operator + expression(right) + ")";
    };
  }

  /** Position of a parameter; an unknown one has been reported. */
  private String position(String name) {
    return "$" + function.parameter(name).map(function.parameters()::indexOf).orElse(-1);
  }
}
