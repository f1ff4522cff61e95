// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.parse;

import io.outboard.ptx.model.Register;
import io.outboard.ptx.model.Type;
import io.outboard.ptx.model.Variable;
import java.util.HashMap;
import java.util.Map;

/** The registers and variables declared between two braces. */
final class Scope {
  private record Range(Type type, int count) {}

  private final Scope outer;
  private final Map<String, Range> ranges = new HashMap<>();
  private final Map<String, Register> registers = new HashMap<>();
  private final Map<String, Variable> variables = new HashMap<>();

  Scope(Scope outer) {
    this.outer = outer;
  }

  Scope outer() {
    return outer;
  }

  boolean declares(String name) {
    return registers.containsKey(name) || variables.containsKey(name);
  }

  void declare(Variable variable) {
    variables.put(variable.name(), variable);
  }

  void declare(Register register) {
    registers.put(register.name(), register);
  }

  /** Declares {@code count} registers: the prefix and a number from zero. */
  void declare(String prefix, int count, Type type) {
    ranges.put(prefix, new Range(type, count));
  }

  Variable variable(String name) {
    for (Scope scope = this; scope != null; scope = scope.outer) {
      Variable found = scope.variables.get(name);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  Register register(String name) {
    for (Scope scope = this; scope != null; scope = scope.outer) {
      Register found = scope.ownRegister(name);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private Register ownRegister(String name) {
    Register found = registers.get(name);
    return found != null ? found : fromRange(name);
  }

  private Register fromRange(String name) {
    int digits = name.length();
    while (digits > 0 && Character.isDigit(name.charAt(digits - 1))) {
      digits--;
    }
    for (int cut = digits; cut < name.length(); cut++) {
      Range range = ranges.get(name.substring(0, cut));
      if (range != null && name.length() - cut < 10 && number(name, cut) < range.count) {
        Register register = new Register(name, range.type);
        registers.put(name, register);
        return register;
      }
    }
    return null;
  }

  private static int number(String name, int cut) {
    return Integer.parseInt(name, cut, name.length(), 10);
  }
}
