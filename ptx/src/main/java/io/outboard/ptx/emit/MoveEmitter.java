// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.emit;

import static java.lang.classfile.Opcode.*;

import io.outboard.ptx.host.Space;
import io.outboard.ptx.model.Instruction;
import io.outboard.ptx.model.Operand;
import io.outboard.ptx.model.Register;
import io.outboard.ptx.model.Type;
import io.outboard.ptx.run.Windows;
import java.lang.classfile.TypeKind;
import java.util.List;

/** Moves, packing of vectors, and conversions of addresses. */
final class MoveEmitter {
  private final Values values;
  private final Asm asm;

  MoveEmitter(Values values) {
    this.values = values;
    this.asm = values.asm();
  }

  /** Writes {@code i}; returns false where it is none of these. */
  boolean emit(Instruction i, Modifiers m) {
    switch (i.root()) {
      case "mov" -> move(i, m);
      case "cvta" -> convertAddress(i, m);
      case "isspacep" -> isInSpace(i, m);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void move(Instruction i, Modifiers m) {
    Type type = m.type();
    if (i.operand(1) instanceof Operand.Vector vector) {
      pack(i.operand(0), vector.elements(), type);
    } else if (i.operand(0) instanceof Operand.Vector vector) {
      unpack(vector.elements(), i.operand(1), type);
    } else {
      values.push(i.operand(1), moved(i.operand(1), type));
      values.pop(i.operand(0), moved(i.operand(1), type));
    }
  }

  /** Between registers of one kind a move keeps the kind: bits need not be taken apart. */
  private static Type moved(Operand source, Type type) {
    boolean same = source instanceof Register r && r.type().bits() == type.bits();
    return type.half() ? bits(type) : same ? ((Register) source).type() : type;
  }

  private static Type bits(Type type) {
    return type.bits() == 16 ? Type.B16 : Type.B32;
  }

  private static Type element(Type whole, int count) {
    return switch (whole.bits() / count) {
      case 8 -> Type.B8;
      case 16 -> Type.B16;
      case 32 -> Type.B32;
      default -> throw new Unsupported("vector of " + count);
    };
  }

  private void pack(Operand target, List<Operand> parts, Type type) {
    Type part = element(type, parts.size());
    boolean wide = type.bits() == 64;
    for (int k = 0; k < parts.size(); k++) {
      values.push(parts.get(k), part);
      place(part.bits() * k, wide, k > 0);
    }
    values.pop(target, type);
  }

  private void place(int shift, boolean wide, boolean join) {
    if (wide) {
      values.widen(false);
    }
    if (shift > 0) {
      asm.constant(shift);
      asm.operator(wide ? LSHL : ISHL);
    }
    if (join) {
      asm.operator(wide ? LOR : IOR);
    }
  }

  private void unpack(List<Operand> targets, Operand source, Type type) {
    Type part = element(type, targets.size());
    TypeKind kind = type.bits() == 64 ? TypeKind.LONG : TypeKind.INT;
    int whole = asm.temporary(kind);
    values.push(source, type);
    asm.store(kind, whole);
    for (int k = 0; k < targets.size(); k++) {
      asm.load(kind, whole);
      takeOut(part.bits() * k, part.bits(), kind == TypeKind.LONG);
      values.pop(targets.get(k), part.bits() == 8 ? Type.U8 : part);
    }
  }

  private void takeOut(int shift, int width, boolean wide) {
    if (shift > 0) {
      asm.constant(shift);
      asm.operator(wide ? LUSHR : IUSHR);
    }
    if (wide) {
      asm.convert(L2I);
    }
    if (width == 8) {
      asm.constant(0xff);
      asm.operator(IAND);
    }
  }

  private static Space space(Modifiers m) {
    String name =
        m.takeOne("global", "shared", "shared::cta", "local", "const", "param", "param::entry");
    if (name == null) {
      throw new Unsupported("state space");
    }
    return switch (name) {
      case "global" -> Space.GLOBAL;
      case "const" -> Space.CONST;
      case "local" -> Space.LOCAL;
      case "shared", "shared::cta" -> Space.SHARED;
      default -> Space.PARAM;
    };
  }

  private void convertAddress(Instruction i, Modifiers m) {
    boolean fromGeneric = m.take("to");
    Space space = space(m);
    Type type = m.type();
    if (type.bits() != 64) {
      throw new Unsupported("32-bit addresses");
    }
    values.push(i.operand(1), Type.U64);
    long window = GenericAddress.window(space);
    if (window != 0) {
      asm.constant(window);
      asm.operator(fromGeneric ? LSUB : LADD);
    }
    values.pop(i.operand(0), Type.U64);
  }

  /** Windows are told apart by the bits above {@link Windows#SHIFT}. */
  private void isInSpace(Instruction i, Modifiers m) {
    Space space = space(m);
    values.push(i.operand(1), Type.U64);
    asm.constant(GenericAddress.window(space) >>> Windows.SHIFT);
    asm.call(Windows.class, "contains", "(JJ)I");
    if (space == Space.CONST) {
      asm.drop(TypeKind.INT);
      asm.constant(0);
    }
    values.pop(i.operand(0), Type.PRED);
  }
}
