// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.flow;

import io.outboard.ptx.model.CallOperands;
import io.outboard.ptx.model.Function;
import io.outboard.ptx.model.Instruction;
import io.outboard.ptx.model.Operand;
import io.outboard.ptx.model.Program;
import io.outboard.ptx.model.Register;
import io.outboard.ptx.model.Variable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The functions of a program whose addresses are taken, and which of them a pointer may mean. */
public final class FunctionPointers {
  private final Program program;
  private final Set<String> taken = new HashSet<>();

  public FunctionPointers(Program program) {
    this.program = program;
    for (Variable variable : program.variables()) {
      if (variable.initializer() != null) {
        taken.addAll(variable.initializer().symbols());
      }
    }
    for (Function function : program.functions().values()) {
      function.body().forEach(this::take);
    }
  }

  private void take(Instruction i) {
    if (isTaken(i) && i.operand(1) instanceof Operand.Name name) {
      taken.add(name.name());
    }
  }

  private boolean isTaken(Instruction i) {
    return i.root().equals("mov")
        && i.count() > 1
        && i.operand(1) instanceof Operand.Name name
        && program.functions().containsKey(name.name());
  }

  /** {@code i} with the function's address where it moves one. */
  public Instruction resolved(Instruction i) {
    return isTaken(i) ? i.withOperand(1, address(((Operand.Name) i.operand(1)).name())) : i;
  }

  Operand address(String function) {
    return new Operand.Whole(program.functionAddresses().get(function));
  }

  /** The functions that take what {@code call} passes and return what it expects. */
  public List<Function> targets(CallOperands call) {
    List<Function> targets = new ArrayList<>();
    for (Function function : program.functions().values()) {
      if (taken.contains(function.name())
          && function.defined()
          && fit(function.results(), call.results())
          && fit(function.parameters(), call.arguments())) {
        targets.add(function);
      }
    }
    return targets;
  }

  private static boolean fit(List<Operand> formals, List<Operand> actuals) {
    if (formals.size() != actuals.size()) {
      return false;
    }
    for (int k = 0; k < formals.size(); k++) {
      if (!fits(formals.get(k), actuals.get(k))) {
        return false;
      }
    }
    return true;
  }

  private static boolean fits(Operand formal, Operand actual) {
    if (formal instanceof Operand.Symbol wanted && actual instanceof Operand.Symbol given) {
      return wanted.variable().size() == given.variable().size();
    }
    return formal instanceof Register && !(actual instanceof Operand.Symbol);
  }
}
