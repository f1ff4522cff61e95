// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.compile;

import io.outboard.ptx.emit.SystemEmitter;
import io.outboard.ptx.emit.Unsupported;
import io.outboard.ptx.flow.ControlFlow;
import io.outboard.ptx.flow.CutPlan;
import io.outboard.ptx.flow.Flattener;
import io.outboard.ptx.flow.FunctionPointers;
import io.outboard.ptx.host.PtxException;
import io.outboard.ptx.host.PtxMissing;
import io.outboard.ptx.model.CallOperands;
import io.outboard.ptx.model.Function;
import io.outboard.ptx.model.Instruction;
import io.outboard.ptx.model.Operand;
import io.outboard.ptx.model.Program;
import io.outboard.ptx.model.Register;
import io.outboard.ptx.model.Type;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds every instruction of a module that cannot be compiled. A mistake refuses the module; an
 * instruction that is not implemented refuses the kernels that use it.
 */
public final class Checker {
  /** Most mistakes that are listed. */
  private static final int MOST = 50;

  private final Program program;
  private final FunctionPointers pointers;
  private final Sizer sizer = new Sizer(_ -> 0, new Register("%cc", Type.U32));
  private final Map<String, List<PtxMissing>> missing = new HashMap<>();
  private final StringBuilder mistakes = new StringBuilder();
  private int count;

  private Checker(Program program) {
    this.program = program;
    this.pointers = new FunctionPointers(program);
  }

  /** Throws {@link PtxException} that lists, a line each, all that is wrong. */
  public static Checker check(Program program) {
    Checker checker = new Checker(program);
    program.functions().values().forEach(checker::function);
    if (checker.count > 0) {
      throw new PtxException(checker.mistakes.toString());
    }
    return checker;
  }

  /** What {@code kernel} uses and is not implemented, in it and in the functions it may call. */
  public List<PtxMissing> missing(Function kernel) {
    if (missing.isEmpty()) {
      return List.of();
    }
    Set<Function> used = new LinkedHashSet<>();
    collect(kernel, used);
    List<PtxMissing> all = new ArrayList<>();
    used.forEach(function -> all.addAll(missing.getOrDefault(function.name(), List.of())));
    all.sort(Comparator.comparingInt(PtxMissing::line));
    return all;
  }

  private void collect(Function function, Set<Function> used) {
    if (!used.add(function)) {
      return;
    }
    for (Instruction i : function.body()) {
      if (i.root().equals("call") && !SystemEmitter.provides(i)) {
        callees(CallOperands.of(i)).forEach(callee -> collect(callee, used));
      }
    }
  }

  private List<Function> callees(CallOperands call) {
    if (call.callee() instanceof Operand.Name name) {
      Function function = program.functions().get(name.name());
      return function == null ? List.of() : List.of(function);
    }
    return pointers.targets(call);
  }

  private void function(Function function) {
    for (Instruction i : function.body()) {
      try {
        instruction(function, i);
      } catch (Mistake e) {
        report(i, e.getMessage());
      } catch (Unsupported e) {
        lacks(function, e.at(i));
      } catch (IndexOutOfBoundsException | ClassCastException e) {
        lacks(function, new Unsupported("operands").at(i));
      }
    }
  }

  private void lacks(Function function, Unsupported what) {
    missing.computeIfAbsent(function.name(), _ -> new ArrayList<>()).add(what.missing());
  }

  private void instruction(Function function, Instruction i) {
    if (!InstructionSet.has(i.root())) {
      throw new Mistake("unknown instruction");
    }
    if (i.root().equals("call")) {
      call(i);
    } else if (i.root().equals("bra")) {
      label(function, i.operand(0));
    } else if (i.root().equals("brx")) {
      table(function, i.operand(1));
    } else if (i.has("b128") || i.operands().stream().anyMatch(Checker::isWide)) {
      throw new Unsupported("128-bit values");
    } else if (CutPlan.waits(i)) {
      CutPlan.of(i);
    } else if (!ControlFlow.leaves(i)) {
      sizer.bytes(pointers.resolved(i));
    }
  }

  private static boolean isWide(Operand operand) {
    return switch (operand) {
      case Register register -> register.type() == Type.B128;
      case Operand.Vector vector -> vector.elements().stream().anyMatch(Checker::isWide);
      default -> false;
    };
  }

  private void call(Instruction i) {
    CallOperands call = CallOperands.of(i);
    if (SystemEmitter.provides(i)) {
      sizer.bytes(i);
    } else if (call.callee() instanceof Operand.Name name) {
      if (!program.functions().containsKey(name.name())) {
        throw new Mistake("call of unknown function " + name.name());
      }
      Flattener.target(program, call);
    }
  }

  private static void label(Function function, Operand operand) {
    if (!(operand instanceof Operand.Name name) || !function.labels().containsKey(name.name())) {
      throw new Mistake("branch to unknown label");
    }
  }

  private static void table(Function function, Operand operand) {
    List<String> targets =
        operand instanceof Operand.Name name ? function.branchTables().get(name.name()) : null;
    if (targets == null || !function.labels().keySet().containsAll(targets)) {
      throw new Mistake("branch to unknown label");
    }
  }

  private void report(Instruction i, String why) {
    if (count++ < MOST) {
      mistakes.append(count == 1 ? "" : "\n").append(i.line()).append(':').append(i.column());
      mistakes.append(": ").append(i.opcode()).append(": ").append(why);
    }
  }

  /** A mistake that no PTX may have. */
  private static final class Mistake extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Mistake(String message) {
      super(message, null, false, false);
    }
  }
}
