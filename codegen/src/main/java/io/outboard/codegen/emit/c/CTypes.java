// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.c;

import io.outboard.codegen.model.Direction;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.HandleUse;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Member;
import io.outboard.codegen.model.Parameter;
import io.outboard.codegen.model.Parameter.Pointer;
import io.outboard.codegen.model.Parameter.UserData;
import io.outboard.codegen.model.Parameter.Value;
import io.outboard.codegen.model.Structure;
import io.outboard.codegen.model.Target;
import io.outboard.spec.Scalar;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The C types of parameters. */
final class CTypes {
  private final Library library;

  CTypes(Library library) {
    this.library = library;
  }

  /** The declaration of the vendor's symbol, without the semicolon. */
  String prototype(Function function, String symbol) {
    if (!function.prototype().isEmpty()) {
      return function.prototype().replaceAll("\\b" + function.name() + "\\b", symbol);
    }
    String parameters = parameters(function);
    return "%s %s(%s)"
        .formatted(
            function.returned().map(this::returnType).orElse(resultType()),
            symbol,
            parameters.isEmpty() ? "void" : parameters);
  }

  /** The declaration of the part that speaks to the backend, without the semicolon. */
  String remote(Function function, String prefix) {
    String parameters =
        Stream.concat(
                function.parameters().stream().map(this::declaration), Stream.of("uint32_t flags_"))
            .collect(Collectors.joining(", "));
    return "int32_t %s_%s(%s)".formatted(prefix, function.name(), parameters);
  }

  /** The C type of a scalar, a handle or a device address. */
  String scalar(Scalar type, HandleUse handle, boolean address) {
    if (handle.present()) {
      return handle.kind().type();
    }
    if (address) {
      return library.addressType();
    }
    return switch (type) {
      case NONE -> "void";
      case BYTE -> "unsigned char";
      case SHORT -> "unsigned short";
      case INT -> "int";
      case LONG -> "uint64_t";
      case FLOAT -> "float";
      case DOUBLE -> "double";
    };
  }

  /** The C type of a member that is no union and no structure. */
  String member(Member member) {
    return member instanceof Member.Plain plain
        ? scalar(plain.type(), plain.handle(), plain.address())
        : "";
  }

  private String resultType() {
    return library.keepsResults() ? "void" : library.resultType();
  }

  private String parameters(Function function) {
    return function.vendors().stream()
        .filter(parameter -> !(library.keepsResults() && isReturned(parameter)))
        .map(
            parameter ->
                isReturned(parameter)
                    ? library.resultType() + " *errcode_ret"
                    : declaration(parameter))
        .collect(Collectors.joining(", "));
  }

  private static boolean isReturned(Parameter parameter) {
    return parameter instanceof Pointer pointer && pointer.returned();
  }

  private String returnType(Pointer made) {
    return made.handle().present() || library.keepsResults() ? element(made) : "void *";
  }

  private String declaration(Parameter parameter) {
    String name = parameter.name();
    return switch (parameter) {
      case Value value -> scalar(value.type(), value.handle(), value.address()) + " " + name;
      case Parameter.Callback _ -> "void (*" + name + ")(void *)";
      case UserData _ -> "void *" + name;
      case Pointer pointer when pointer.byValue() -> element(pointer) + " " + name;
      case Pointer pointer ->
          (pointer.direction() == Direction.IN ? "const " : "") + element(pointer) + " *" + name;
    };
  }

  /** The type behind a pointer. */
  String element(Pointer pointer) {
    return switch (pointer.target()) {
      case Target.Scalars(Scalar type) -> scalar(type, pointer.handle(), pointer.address());
      case Target.Structures(Structure structure) -> structure.name();
      case Target.Bytes() -> "void";
      case Target.Text() -> "char";
    };
  }
}
