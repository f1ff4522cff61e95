// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.model;

import java.util.stream.Stream;

/** A length: names and constants with {@code + - *}. */
public sealed interface Expression {
  /** A number. */
  record Constant(long value) implements Expression {}

  /** The value of a parameter, or of the one scalar that it points to. */
  record Name(String name) implements Expression {}

  /** Two operands and one of {@code + - *}. */
  record Operation(char operator, Expression left, Expression right) implements Expression {}

  /** All names in it. */
  default Stream<String> names() {
    return switch (this) {
      case Constant constant -> Stream.empty();
      case Name(String name) -> Stream.of(name);
      case Operation operation ->
          Stream.concat(operation.left().names(), operation.right().names());
    };
  }
}
