// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.check;

import io.outboard.codegen.model.Expression;
import io.outboard.codegen.model.Expression.Constant;
import io.outboard.codegen.model.Expression.Name;
import io.outboard.codegen.model.Expression.Operation;

/**
 * Reads a length expression.
 *
 * <pre>
 *   sum    = term { ("+" | "-") term }
 *   term   = factor { "*" factor }
 *   factor = number | name | "(" sum ")"
 * </pre>
 */
final class ExpressionParser {
  private final String text;
  private int at;

  private ExpressionParser(String text) {
    this.text = text;
  }

  /**
   * Parses a whole expression.
   *
   * @throws IllegalArgumentException with a message that says where it is not one
   */
  static Expression parse(String text) {
    ExpressionParser parser = new ExpressionParser(text);
    Expression expression = parser.sum();
    if (parser.peek() != 0) {
      throw parser.unexpected();
    }
    return expression;
  }

  private Expression sum() {
    Expression left = term();
    while (peek() == '+' || peek() == '-') {
      left = new Operation(next(), left, term());
    }
    return left;
  }

  private Expression term() {
    Expression left = factor();
    while (peek() == '*') {
      left = new Operation(next(), left, factor());
    }
    return left;
  }

  private Expression factor() {
    char first = peek();
    if (first == '(') {
      next();
      Expression inner = sum();
      if (peek() != ')') {
        throw unexpected();
      }
      next();
      return inner;
    }
    if (Character.isDigit(first)) {
      return new Constant(Long.parseLong(word()));
    }
    if (Character.isJavaIdentifierStart(first) && first != 0) {
      return new Name(word());
    }
    throw unexpected();
  }

  private String word() {
    int from = at;
    while (at < text.length() && Character.isJavaIdentifierPart(text.charAt(at))) {
      at++;
    }
    return text.substring(from, at);
  }

  private char peek() {
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
    return at < text.length() ? text.charAt(at) : 0;
  }

  private char next() {
    return text.charAt(at++);
  }

  private IllegalArgumentException unexpected() {
    String what = peek() == 0 ? "the end" : "'" + peek() + "'";
    return new IllegalArgumentException("unexpected " + what + " in \"" + text + "\"");
  }
}
