// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.parse;

import io.outboard.ptx.host.PtxException;
import io.outboard.ptx.host.ReferenceKind;
import io.outboard.ptx.host.Space;
import io.outboard.ptx.model.Function;
import io.outboard.ptx.model.Operand;
import io.outboard.ptx.model.Program;
import io.outboard.ptx.model.Variable;
import java.util.Optional;

/** Reads a module: directives, variables of module scope, and functions. */
public final class PtxParser {
  private final Scanner scanner;
  private final Program program = new Program();
  private final Scope global = new Scope(null);

  private PtxParser(String text) {
    scanner = new Scanner(text);
  }

  /** The module in {@code text}; throws {@link PtxException} with line and column. */
  public static Program parse(String text) {
    PtxParser parser = new PtxParser(text);
    try {
      parser.module();
    } catch (NumberFormatException e) {
      throw parser.scanner.error("malformed number");
    } catch (ArithmeticException e) {
      throw parser.scanner.error("number too large");
    }
    return parser.program;
  }

  private void module() {
    while (!scanner.atEnd()) {
      directive(scanner.directive());
    }
    if (program.version().isEmpty()) {
      throw scanner.error("no .version directive");
    }
  }

  private void directive(String word) {
    switch (word) {
      case "version" -> program.setVersion(scanner.number());
      case "target" -> target();
      case "address_size" -> addressSize();
      case "visible", "extern", "weak", "common" -> {}
      case "entry" -> function(true);
      case "func" -> function(false);
      case "global" -> variables(Space.GLOBAL);
      case "const" -> variables(Space.CONST);
      case "shared", "shared::cta" -> variables(Space.SHARED);
      case "file", "loc" -> scanner.skipLine();
      case "pragma" -> pragma();
      case "section" -> section();
      default -> throw scanner.error("unsupported directive ." + word);
    }
  }

  private void target() {
    String target = scanner.name();
    while (scanner.accept(',')) {
      scanner.name();
    }
    program.setTarget(target);
  }

  private void addressSize() {
    if (!scanner.number().equals("64")) {
      throw scanner.error("only 64-bit addresses are supported");
    }
  }

  private void pragma() {
    scanner.quoted();
    scanner.expect(';');
  }

  private void section() {
    scanner.directive();
    scanner.expect('{');
    scanner.skipPast('}');
  }

  private void variables(Space space) {
    VariableParser parser = new VariableParser(scanner);
    Optional<ReferenceKind> reference = parser.acceptReference();
    if (reference.isPresent()) {
      // Without a declaration the name is no variable: a kernel that uses it is refused.
      program.references().put(scanner.name(), reference.get());
      scanner.skipPast(';');
      return;
    }
    for (Variable variable : parser.variables(space)) {
      global.declare(variable);
      program.variables().add(variable);
    }
    scanner.expect(';');
  }

  private void function(boolean entry) {
    Scope scope = new Scope(global);
    FunctionParser parser = new FunctionParser(scanner, scope);
    Function function = parser.read(entry, program.functions());
    for (Operand parameter : function.parameters()) {
      if (entry && !(parameter instanceof Operand.Symbol)) {
        throw scanner.error("a kernel's parameters are in parameter space");
      }
    }
  }
}
