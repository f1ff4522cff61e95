// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.parse;

import io.outboard.ptx.model.Operand;
import io.outboard.ptx.model.Register;
import io.outboard.ptx.model.Special;
import io.outboard.ptx.model.Variable;
import java.util.ArrayList;
import java.util.List;

/** Reads the operands of instructions. */
final class OperandParser {
  private final Scanner scanner;

  OperandParser(Scanner scanner) {
    this.scanner = scanner;
  }

  Operand operand(Scope scope) {
    return switch (scanner.peek()) {
      case '[' -> address(scope);
      case '{' -> new Operand.Vector(list(scope, '{', '}'));
      case '(' -> new Operand.Group(list(scope, '(', ')'));
      case '!' -> {
        scanner.expect('!');
        yield new Operand.Not(operand(scope));
      }
      default -> plain(scope);
    };
  }

  private List<Operand> list(Scope scope, char open, char close) {
    List<Operand> read = new ArrayList<>();
    scanner.expect(open);
    while (!scanner.accept(close)) {
      read.add(operand(scope));
      scanner.accept(',');
    }
    return read;
  }

  private Operand address(Scope scope) {
    scanner.expect('[');
    Operand base = plain(scope);
    if (scanner.accept(',')) {
      return place(base, operand(scope), scope);
    }
    Operand address =
        switch (base) {
          case Operand.Symbol symbol -> new Operand.Address(symbol, 0);
          case Operand.Address read -> read;
          default -> new Operand.Address(base, 0);
        };
    scanner.expect(']');
    return address;
  }

  private Operand place(Operand base, Operand second, Scope scope) {
    Operand third = scanner.accept(',') ? operand(scope) : null;
    scanner.expect(']');
    return third == null
        ? new Operand.Texel(base, second)
        : new Operand.Sampled(base, second, third);
  }

  private Operand plain(Scope scope) {
    Operand first = single(scope);
    if (scanner.accept('|')) {
      return new Operand.Pair(first, operand(scope));
    }
    if (!hasOffset()) {
      return first;
    }
    long offset = offset();
    return switch (first) {
      case Operand.Symbol symbol -> new Operand.Symbol(symbol.variable(), symbol.offset() + offset);
      case Operand.Whole whole -> new Operand.Whole(whole.value() + offset);
      case Register register -> new Operand.Address(register, offset);
      default -> throw scanner.error("an offset to something that is no address");
    };
  }

  private boolean hasOffset() {
    char c = scanner.peek();
    return c == '+' || c == '-';
  }

  private long offset() {
    boolean negative = !scanner.accept('+') && scanner.accept('-');
    negative ^= scanner.accept('-');
    if (number(negative) instanceof Operand.Whole whole) {
      return whole.value();
    }
    throw scanner.error("an offset is an integer");
  }

  private Operand single(Scope scope) {
    if (!Scanner.startsName(scanner.peek())) {
      return number(scanner.accept('-'));
    }
    String name = scanner.name();
    if (name.equals("_")) {
      return new Operand.Sink();
    }
    if (name.equals("WARP_SZ")) {
      return new Operand.Whole(32);
    }
    return named(scope, name);
  }

  private Operand named(Scope scope, String name) {
    Register register = scope.register(name);
    if (register != null) {
      return register;
    }
    int dot = name.indexOf('.');
    Register whole = dot < 0 ? null : scope.register(name.substring(0, dot));
    if (whole != null) {
      return new Operand.Part(whole, name.substring(dot + 1));
    }
    Variable variable = scope.variable(name);
    if (variable != null) {
      return new Operand.Symbol(variable, 0);
    }
    if (name.charAt(0) == '%') {
      if (SpecialNames.known(name.substring(1))) {
        return new Special(name.substring(1));
      }
      throw scanner.error("unknown register " + name);
    }
    return new Operand.Name(name);
  }

  private Operand number(boolean negative) {
    String text = scanner.number();
    try {
      return Numbers.read(text, negative);
    } catch (NumberFormatException e) {
      throw scanner.error("malformed number " + text);
    }
  }
}
