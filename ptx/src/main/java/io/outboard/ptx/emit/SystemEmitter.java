// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.emit;

import io.outboard.ptx.host.Space;
import io.outboard.ptx.model.CallOperands;
import io.outboard.ptx.model.Instruction;
import io.outboard.ptx.model.Operand;
import io.outboard.ptx.model.Type;
import io.outboard.ptx.run.BlockContext;
import io.outboard.ptx.run.LocalMemory;
import io.outboard.ptx.run.SystemCalls;
import java.lang.classfile.TypeKind;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Set;

/** Fences, hints, and calls of functions that the device provides. */
public final class SystemEmitter {
  private static final String CONTEXT = BlockContext.class.descriptorString();

  private static final String PRINT = "vprintf";
  private static final String FAIL = "__assertfail";
  private static final String SET_CONDITION = "cudaGraphSetConditional";
  private static final Set<String> PROVIDED = Set.of(PRINT, FAIL, SET_CONDITION);

  private final Values values;
  private final Asm asm;

  SystemEmitter(Values values) {
    this.values = values;
    this.asm = values.asm();
  }

  /** Whether the function that {@code i} calls is provided here. */
  public static boolean provides(Instruction i) {
    return CallOperands.of(i).callee() instanceof Operand.Name(String name)
        && PROVIDED.contains(name);
  }

  /** Writes {@code i}; returns false where it is none of these. */
  boolean emit(Instruction i, Modifiers m) {
    switch (i.root()) {
      case "membar", "fence" -> fence(m);
      case "nanosleep" -> sleep(i, m);
      case "prefetch", "prefetchu", "discard", "applypriority", "pmevent" -> ignore(m);
      case "call" -> call(i, m);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void fence(Modifiers m) {
    m.ignore("sc", "acq_rel", "cta", "cluster", "gpu", "gl", "sys", "acquire", "release");
    asm.call(VarHandle.class, "fullFence", "()V");
  }

  private void sleep(Instruction i, Modifiers m) {
    values.push(i.operand(0), m.type());
    asm.call(SystemCalls.class, "sleep", "(I)V");
  }

  private static void ignore(Modifiers m) {
    while (m.next() != null) {}
  }

  private void call(Instruction i, Modifiers m) {
    m.take("uni");
    CallOperands call = CallOperands.of(i);
    String name = ((Operand.Name) call.callee()).name();
    List<Operand> arguments = call.arguments();
    asm.load(TypeKind.REFERENCE, Slots.CONTEXT);
    asm.load(TypeKind.INT, Slots.THREAD);
    switch (name) {
      case PRINT -> print(call.results(), arguments);
      case FAIL -> fail(arguments);
      default -> setCondition(arguments);
    }
  }

  private void setCondition(List<Operand> arguments) {
    argument(arguments.get(0), Type.B64);
    argument(arguments.get(1), Type.B32);
    asm.call(SystemCalls.class, "setCondition", "(" + CONTEXT + "IJI)V");
  }

  private void print(List<Operand> results, List<Operand> arguments) {
    argument(arguments.get(0), Type.B64);
    argument(arguments.get(1), Type.B64);
    asm.call(SystemCalls.class, "print", "(" + CONTEXT + "IJJ)I");
    int result = asm.temporary(TypeKind.INT);
    asm.store(TypeKind.INT, result);
    if (!results.isEmpty()) {
      storeResult(results.getFirst(), result);
    }
  }

  private void fail(List<Operand> arguments) {
    argument(arguments.get(0), Type.B64);
    argument(arguments.get(1), Type.B64);
    argument(arguments.get(2), Type.B32);
    argument(arguments.get(3), Type.B64);
    asm.call(SystemCalls.class, "fail", "(" + CONTEXT + "IJJIJ)V");
  }

  /** Pushes an argument, which is a register or a call's parameter in local memory. */
  private void argument(Operand argument, Type type) {
    if (!(argument instanceof Operand.Symbol symbol)) {
      values.push(argument, type);
      return;
    }
    pushLocal(symbol);
    asm.call(LocalMemory.class, "load" + type.bits(), "(" + CONTEXT + "IJ)" + Asm.letter(type));
  }

  private void pushLocal(Operand.Symbol symbol) {
    if (symbol.variable().space() != Space.LOCAL) {
      throw new Unsupported("argument " + symbol.variable());
    }
    asm.load(TypeKind.REFERENCE, Slots.CONTEXT);
    asm.load(TypeKind.INT, Slots.THREAD);
    asm.constant(values.address(symbol));
  }

  private void storeResult(Operand target, int slot) {
    if (target instanceof Operand.Symbol symbol) {
      pushLocal(symbol);
      asm.load(TypeKind.INT, slot);
      asm.call(LocalMemory.class, "store32", "(" + CONTEXT + "IJI)V");
    } else {
      asm.load(TypeKind.INT, slot);
      values.pop(target, Type.B32);
    }
  }
}
