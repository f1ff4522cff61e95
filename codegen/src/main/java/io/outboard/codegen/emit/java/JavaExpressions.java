// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.java;

import io.outboard.codegen.model.Expression;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Parameter;
import io.outboard.codegen.model.Parameter.Pointer;
import io.outboard.codegen.model.Target;
import io.outboard.spec.Scalar;

/**
 * Length expressions in Java: 64 bits, where a negative value means out of range and stays so.
 *
 * @param support the class that has the operations
 * @param pointee how to read the one integer that a pointer parameter points to
 */
record JavaExpressions(String support, Pointee pointee) {
  /** Reads the integer behind a pointer, 0 if it is null. */
  @FunctionalInterface
  interface Pointee {
    String read(Pointer pointer, Scalar type);
  }

  /** The expression times the size of an element. */
  String bytes(Function function, Pointer pointer) {
    String count = emit(function, pointer.count().orElseThrow());
    int size = pointer.target().bytes();
    return size == 1 ? count : "%s.times(%s, %d)".formatted(support, count, size);
  }

  /** Any expression of a function. */
  String emit(Function function, Expression expression) {
    return switch (expression) {
      case Expression.Constant(long value) -> value + "L";
      case Expression.Name(String name) -> name(function.parameter(name).orElseThrow());
      case Expression.Operation(char operator, Expression left, Expression right) ->
          "%s.%s(%s, %s)"
              .formatted(support, operation(operator), emit(function, left), emit(function, right));
    };
  }

  private String name(Parameter parameter) {
    return parameter instanceof Pointer pointer
            && pointer.target() instanceof Target.Scalars(Scalar type)
        ? pointee.read(pointer, type)
        : parameter.name();
  }

  private static String operation(char operator) {
    return switch (operator) {
      case '+' -> "plus";
      case '-' -> "minus";
      default -> "times";
    };
  }
}
