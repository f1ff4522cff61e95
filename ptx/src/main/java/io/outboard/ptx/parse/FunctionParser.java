// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.parse;

import io.outboard.ptx.host.Space;
import io.outboard.ptx.model.Function;
import io.outboard.ptx.model.Instruction;
import io.outboard.ptx.model.Operand;
import io.outboard.ptx.model.Register;
import io.outboard.ptx.model.Type;
import io.outboard.ptx.model.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads one function: its head, its declarations and its instructions. */
final class FunctionParser {
  private final Scanner scanner;
  private final OperandParser operands;
  private Scope scope;
  private Function function;

  FunctionParser(Scanner scanner, Scope scope) {
    this.scanner = scanner;
    this.scope = scope;
    this.operands = new OperandParser(scanner);
  }

  /** Reads from after {@code .entry} or {@code .func} and puts the function into {@code into}. */
  Function read(boolean entry, Map<String, Function> into) {
    while (scanner.peek() == '.') {
      headAttribute(scanner.directive());
    }
    List<Operand> results = scanner.peek() == '(' ? formals() : List.of();
    function = new Function(scanner.name(), entry);
    function.results().addAll(results);
    if (scanner.peek() == '(') {
      function.parameters().addAll(formals());
    }
    while (scanner.peek() == '.') {
      attribute(scanner.directive());
    }
    register(into);
    if (!scanner.accept(';')) {
      body();
    }
    return function;
  }

  private void headAttribute(String word) {
    if (!word.equals("attribute")) {
      throw scanner.error("unsupported attribute ." + word);
    }
    scanner.expect('(');
    while (!scanner.accept(')')) {
      if (!scanner.accept('.') && !scanner.accept(',')) {
        scanner.number();
      }
    }
  }

  private void register(Map<String, Function> into) {
    Function earlier = into.get(function.name());
    if (earlier != null && earlier.defined() && scanner.peek() == '{') {
      throw scanner.error("second definition of " + function.name());
    }
    if (earlier == null || !earlier.defined()) {
      into.put(function.name(), function);
    }
  }

  private List<Operand> formals() {
    List<Operand> read = new ArrayList<>();
    scanner.expect('(');
    while (!scanner.accept(')')) {
      read.add(formal(scanner.directive()));
      scanner.accept(',');
    }
    return read;
  }

  private Operand formal(String space) {
    if (space.equals("reg")) {
      Register register = new Register("", type());
      Register named = new Register(scanner.name(), register.type());
      scope.declare(named);
      return named;
    }
    if (!space.equals("param")) {
      throw scanner.error("a parameter in space ." + space);
    }
    Variable variable = new VariableParser(scanner).parameter();
    scope.declare(variable);
    return new Operand.Symbol(variable, 0);
  }

  private void attribute(String word) {
    switch (word) {
      case "maxntid", "reqntid" -> function.setMaxThreads(extent());
      case "minnctapersm", "maxnreg", "maxnctapersm", "maxclusterrank" -> scanner.number();
      case "reqnctapercluster" -> extent();
      case "noreturn", "explicitcluster" -> {}
      case "pragma" -> {
        scanner.quoted();
        scanner.expect(';');
      }
      default -> throw scanner.error("unsupported directive ." + word);
    }
  }

  private int extent() {
    long product = 1;
    do {
      product *= Integer.parseInt(scanner.number());
    } while (scanner.accept(','));
    if (product < 1 || product > 1024) {
      throw scanner.error("a block has 1 to 1024 threads");
    }
    return (int) product;
  }

  private void body() {
    scanner.expect('{');
    function.setDefined();
    int depth = 1;
    while (depth > 0) {
      if (scanner.accept('{')) {
        scope = new Scope(scope);
        depth++;
      } else if (scanner.accept('}')) {
        scope = scope.outer();
        depth--;
      } else {
        statement();
      }
    }
  }

  private void statement() {
    switch (scanner.peek()) {
      case '.' -> declaration(scanner.directive());
      case '@' -> guarded();
      case ';' -> scanner.expect(';');
      default -> labelOrInstruction();
    }
  }

  private void declaration(String word) {
    switch (word) {
      case "reg" -> registers();
      case "local" -> variables(Space.LOCAL);
      case "shared", "shared::cta" -> variables(Space.SHARED);
      case "param" -> variables(Space.LOCAL);
      case "loc", "file" -> scanner.skipLine();
      case "pragma" -> {
        scanner.quoted();
        scanner.expect(';');
      }
      default -> throw scanner.error("unsupported directive ." + word);
    }
  }

  private void variables(Space space) {
    for (Variable variable : new VariableParser(scanner).variables(space)) {
      if (scope.declares(variable.name())) {
        throw scanner.error("second declaration of " + variable.name());
      }
      scope.declare(variable);
    }
    scanner.expect(';');
  }

  private Type type() {
    String word = scanner.directive();
    Type type = Type.named(word);
    if (type == null) {
      throw scanner.error("unsupported type ." + word);
    }
    return type;
  }

  private void registers() {
    Type type = type();
    do {
      String name = scanner.name();
      if (scanner.accept('<')) {
        scope.declare(name, Integer.parseInt(scanner.number()), type);
        scanner.expect('>');
      } else {
        scope.declare(new Register(name, type));
      }
    } while (scanner.accept(','));
    scanner.expect(';');
  }

  private void guarded() {
    scanner.expect('@');
    boolean negated = scanner.accept('!');
    String name = scanner.name();
    Register guard = scope.register(name);
    if (guard == null || guard.type() != Type.PRED) {
      throw scanner.error(name + " is not a predicate");
    }
    scanner.skip();
    instruction(scanner.line(), scanner.column(), scanner.name(), guard, negated);
  }

  private void labelOrInstruction() {
    int line = scanner.line();
    int column = scanner.column();
    String first = scanner.name();
    if (scanner.acceptColon()) {
      label(first);
    } else {
      instruction(line, column, first, null, false);
    }
  }

  private void label(String name) {
    if (scanner.peek() == '.') {
      labelled(name, scanner.directive());
    } else if (function.labels().put(name, function.body().size()) != null) {
      throw scanner.error("second label " + name);
    }
  }

  private void labelled(String name, String directive) {
    switch (directive) {
      case "branchtargets" -> branchTable(name);
      // Which functions a call through a pointer may reach follows from what it passes.
      case "callprototype", "calltargets" -> scanner.skipPast(';');
      default -> {
        function.labels().put(name, function.body().size());
        declaration(directive);
      }
    }
  }

  private void branchTable(String name) {
    List<String> targets = new ArrayList<>();
    do {
      targets.add(scanner.name());
    } while (scanner.accept(','));
    function.branchTables().put(name, targets);
    scanner.expect(';');
  }

  private void instruction(int line, int column, String root, Register guard, boolean negated) {
    List<String> parts = new ArrayList<>(6);
    parts.add(root);
    while (scanner.acceptAdjoiningDot()) {
      parts.add(scanner.word());
    }
    List<Operand> read = new ArrayList<>(4);
    if (scanner.peek() != ';') {
      do {
        read.add(operands.operand(scope));
      } while (scanner.accept(','));
    }
    scanner.expect(';');
    function.body().add(new Instruction(line, column, guard, negated, parts, read));
  }
}
