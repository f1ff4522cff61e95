// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.c;

import io.outboard.codegen.model.Expression;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Parameter.Pointer;

/** Length expressions in C: 64 bits, where a negative value means out of range and stays so. */
final class CExpressions {
  /** The functions that the expressions call. */
  static final String SUPPORT =
      """
      static inline OB_UNUSED int64_t length_plus(int64_t left, int64_t right) {
      int64_t sum;
      return left < 0 || right < 0 || __builtin_add_overflow(left, right, &sum) ? -1 : sum;
      }

      static inline OB_UNUSED int64_t length_minus(int64_t left, int64_t right) {
      return left < 0 || right < 0 ? -1 : left - right;
      }

      static inline OB_UNUSED int64_t length_times(int64_t left, int64_t right) {
      int64_t product;
      return left < 0 || right < 0 || __builtin_mul_overflow(left, right, &product) ? -1 : product;
      }

      /* Of a list of pairs that ends with 0, with that. */
      static inline OB_UNUSED int length_pairs(const uint64_t *list) {
      int length = 0;
      if (list == NULL) {
      return 0;
      }
      while (list[length] != 0) {
      length += 2;
      }
      return length + 1;
      }

      static inline OB_UNUSED bool length_repeats(const uint64_t *list) {
      for (const uint64_t *at = list; at != NULL && *at != 0; at += 2) {
      for (const uint64_t *before = list; before != at; before += 2) {
      if (*before == *at) {
      return true;
      }
      }
      }
      return false;
      }
      """;

  private CExpressions() {}

  /** The expression times the size of an element. */
  static String bytes(Function function, Pointer pointer) {
    String count = value(function, pointer.count().orElseThrow());
    int size = pointer.target().bytes();
    return size == 1 ? count : "length_times(%s, %d)".formatted(count, size);
  }

  /** The value of an expression. */
  static String value(Function function, Expression expression) {
    return switch (expression) {
      case Expression.Constant(long value) -> Long.toString(value);
      case Expression.Name(String name) ->
          function.parameter(name).orElseThrow() instanceof Pointer
              ? "(%1$s == NULL ? 0 : (int64_t)*%1$s)".formatted(name)
              : "(int64_t)" + name;
      case Expression.Operation(char operator, Expression left, Expression right) ->
          "%s(%s, %s)"
              .formatted(operation(operator), value(function, left), value(function, right));
    };
  }

  private static String operation(char operator) {
    return switch (operator) {
      case '+' -> "length_plus";
      case '-' -> "length_minus";
      default -> "length_times";
    };
  }
}
