// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.emit;

import io.outboard.ptx.model.Instruction;
import io.outboard.ptx.model.Register;
import io.outboard.ptx.model.Type;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;

/** Writes any instruction that neither branches nor waits. */
public final class InstructionEmitter {
  private final Values values;
  private final Asm asm;
  private final IntegerEmitter integers;
  private final FloatEmitter reals;
  private final HalfEmitter halves;
  private final LogicEmitter logic;
  private final CompareEmitter comparisons;
  private final MoveEmitter moves;
  private final MemoryEmitter memory;
  private final ConvertEmitter conversions;
  private final SystemEmitter system;
  private final TextureEmitter textures;
  private final SurfaceEmitter surfaces;
  private final MatrixEmitter matrices;

  public InstructionEmitter(Values values, Register carry) {
    this.values = values;
    this.asm = values.asm();
    integers = new IntegerEmitter(values, carry);
    reals = new FloatEmitter(values);
    halves = new HalfEmitter(values);
    logic = new LogicEmitter(values);
    comparisons = new CompareEmitter(values);
    moves = new MoveEmitter(values);
    memory = new MemoryEmitter(values);
    conversions = new ConvertEmitter(values);
    system = new SystemEmitter(values);
    textures = new TextureEmitter(values);
    surfaces = new SurfaceEmitter(values);
    matrices = new MatrixEmitter(values);
  }

  /** Writes {@code i} with its predicate; throws {@link Unsupported}. */
  public void emit(Instruction i) {
    if (i.guard() == null) {
      emitBody(i);
      return;
    }
    Label skip = asm.label();
    values.push(i.guard(), Type.PRED);
    asm.branch(i.negated() ? Opcode.IFNE : Opcode.IFEQ, skip);
    emitBody(i);
    asm.bind(skip);
  }

  private void emitBody(Instruction i) {
    Modifiers m = new Modifiers(i);
    if (!special(i, m)) {
      arithmetic(i, m);
    }
    m.done();
  }

  private boolean special(Instruction i, Modifiers m) {
    if (i.root().equals("cvt")) {
      conversions.emit(i, m);
      return true;
    }
    return moves.emit(i, m)
        || memory.emit(i, m)
        || comparisons.emit(i, m)
        || logic.emit(i, m)
        || system.emit(i, m)
        || textures.emit(i, m)
        || surfaces.emit(i, m)
        || matrices.emit(i, m);
  }

  private void arithmetic(Instruction i, Modifiers m) {
    Type type = new Modifiers(i).type();
    if (type.half()) {
      halves.emit(i, m);
    } else if (type.family() == Type.Family.FLOAT) {
      reals.emit(i, m);
    } else {
      integers.emit(i, m);
    }
  }
}
