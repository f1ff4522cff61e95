// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.compile;

import io.outboard.ptx.PtxException;
import io.outboard.ptx.model.Function;
import io.outboard.ptx.model.Instruction;
import io.outboard.ptx.model.Operand;
import io.outboard.ptx.model.Program;
import io.outboard.ptx.model.Register;
import io.outboard.ptx.model.Type;
import java.util.List;

/** Finds everything in a module that cannot be compiled. */
public final class Checker {
  private static final int MOST = 50;

  private final Program program;
  private final FunctionPointers pointers;
  private final Sizer sizer = new Sizer(_ -> 0, new Register("%cc", Type.U32));
  private final StringBuilder problems = new StringBuilder();
  private int count;

  private Checker(Program program) {
    this.program = program;
    this.pointers = new FunctionPointers(program);
  }

  /** Throws {@link PtxException} that lists, a line each, all that is unsupported. */
  public static void check(Program program) {
    Checker checker = new Checker(program);
    program.functions().values().forEach(checker::function);
    if (checker.count > 0) {
      throw new PtxException(checker.problems.toString());
    }
  }

  private void function(Function function) {
    for (Instruction i : function.body()) {
      try {
        instruction(function, i);
      } catch (Unsupported e) {
        report(i, e.getMessage());
      } catch (IndexOutOfBoundsException | ClassCastException e) {
        report(i, "operands");
      }
    }
  }

  private void instruction(Function function, Instruction i) {
    if (i.root().equals("call")) {
      call(i);
    } else if (i.root().equals("bra")) {
      label(function, i.operand(0));
    } else if (i.root().equals("brx")) {
      table(function, i.operand(1));
    } else if (CutPlan.waits(i)) {
      CutPlan.of(i);
    } else if (!ControlFlow.leaves(i)) {
      sizer.bytes(pointers.resolved(i));
    }
  }

  private void call(Instruction i) {
    if (SystemEmitter.provides(i)) {
      sizer.bytes(i);
    } else if (!(Flattener.callee(i) instanceof Register)) {
      Flattener.target(program, i);
    }
  }

  private static void label(Function function, Operand operand) {
    if (!(operand instanceof Operand.Name name) || !function.labels().containsKey(name.name())) {
      throw new Unsupported("branch to unknown label");
    }
  }

  private static void table(Function function, Operand operand) {
    List<String> targets =
        operand instanceof Operand.Name name ? function.branchTables().get(name.name()) : null;
    if (targets == null || !function.labels().keySet().containsAll(targets)) {
      throw new Unsupported("branch to unknown label");
    }
  }

  private void report(Instruction i, String why) {
    if (count++ >= MOST) {
      return;
    }
    problems.append(count == 1 ? "" : "\n").append(i.line()).append(':').append(i.column());
    problems.append(": unsupported instruction ").append(i.opcode());
    if (!why.isEmpty()) {
      problems.append(" (").append(why).append(')');
    }
  }
}
