// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.emit;

import static java.lang.classfile.Opcode.*;

import io.outboard.ptx.math.Carry;
import io.outboard.ptx.math.IntMath;
import io.outboard.ptx.model.Instruction;
import io.outboard.ptx.model.Operand;
import io.outboard.ptx.model.Register;
import io.outboard.ptx.model.Type;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;

/** Integer arithmetic (PTX ISA, "Integer Arithmetic Instructions" and "Extended-Precision"). */
final class IntegerEmitter {
  private final Values values;
  private final Asm asm;
  private final Register carry;

  IntegerEmitter(Values values, Register carry) {
    this.values = values;
    this.asm = values.asm();
    this.carry = carry;
  }

  /** Writes {@code i}, whose type is integral. */
  void emit(Instruction i, Modifiers m) {
    switch (i.root()) {
      case "add" -> addOrSubtract(i, m, IADD, LADD, "addSaturated");
      case "sub" -> addOrSubtract(i, m, ISUB, LSUB, "subtractSaturated");
      case "addc" -> carried(i, m, "add");
      case "subc" -> carried(i, m, "subtract");
      case "mul" -> multiply(i, m);
      case "mad" -> multiplyAdd(i, m);
      case "madc" -> multiplyAddCarry(i, m);
      case "mul24" -> call(i, m.take("hi") ? "multiply24High" : low(m, "multiply24"), m.type(), 2);
      case "mad24" ->
          call(i, m.take("hi") ? "multiplyAdd24High" : low(m, "multiplyAdd24"), m.type(), 3);
      case "sad" -> call(i, "absoluteDifference", m.type(), 3);
      case "div" -> call(i, "divide", m.type(), 2);
      case "rem" -> call(i, "remainder", m.type(), 2);
      case "min" -> minimum(i, m, "min");
      case "max" -> minimum(i, m, "max");
      case "abs" -> unary(i, m.type(), Math.class, "abs");
      case "neg" -> negate(i, m.type());
      case "dp4a" -> dot(i, m, "dot4");
      case "dp2a" -> dot(i, m, m.take("hi") ? "dot2High" : low(m, "dot2Low"));
      default -> throw new Unsupported("");
    }
  }

  private static String low(Modifiers m, String name) {
    m.take("lo");
    return name;
  }

  private void push(Instruction i, int from, int count, Type type) {
    for (int k = from; k < from + count; k++) {
      values.push(i.operand(k), type);
    }
  }

  private void result(Instruction i, Type type) {
    values.pop(i.operand(0), type);
  }

  private void operator(Type type, Opcode narrow, Opcode wide) {
    asm.operator(type.bits() == 64 ? wide : narrow);
  }

  private void addOrSubtract(
      Instruction i, Modifiers m, Opcode narrow, Opcode wide, String saturated) {
    if (m.take("cc")) {
      withCarry(i, m.type(), narrow == IADD ? "add" : "subtract", false);
      return;
    }
    boolean saturate = m.take("sat");
    Type type = m.type();
    push(i, 1, 2, type);
    if (saturate) {
      asm.call(IntMath.class, saturated, "(II)I");
    } else {
      operator(type, narrow, wide);
    }
    result(i, type);
  }

  private void carried(Instruction i, Modifiers m, String name) {
    m.take("cc");
    withCarry(i, m.type(), name, true);
  }

  /** The new carry is worked out first, for the result may overwrite an operand. */
  private void withCarry(Instruction i, Type type, String name, boolean in) {
    push(i, 1, 2, type);
    sum(i, type, name, in);
  }

  /** With both operands pushed: the result, and the new carry where wanted. */
  private void sum(Instruction i, Type type, String name, boolean in) {
    TypeKind kind = Asm.kind(type);
    int a = asm.temporary(kind);
    int b = asm.temporary(kind);
    int out = asm.temporary(TypeKind.INT);
    asm.store(kind, b);
    asm.store(kind, a);
    String pair = type.bits() == 64 ? "(JJI)" : "(III)";
    operands(kind, a, b, in);
    asm.call(Carry.class, name + "Carry", pair + "I");
    asm.store(TypeKind.INT, out);
    operands(kind, a, b, in);
    asm.call(Carry.class, name, pair + Asm.letter(type));
    result(i, type);
    if (i.has("cc")) {
      asm.load(TypeKind.INT, out);
      values.pop(carry, Type.U32);
    }
  }

  private void operands(TypeKind kind, int a, int b, boolean in) {
    asm.load(kind, a);
    asm.load(kind, b);
    if (in) {
      values.push(carry, Type.U32);
    } else {
      asm.constant(0);
    }
  }

  private void multiply(Instruction i, Modifiers m) {
    String part = m.takeOne("wide", "hi", "lo");
    Type type = m.type();
    result(i, product(i, part, type));
  }

  /** Pushes the product's {@code part}; returns its type. */
  private Type product(Instruction i, String part, Type type) {
    if ("wide".equals(part)) {
      return wideProduct(i, type);
    }
    push(i, 1, 2, type);
    if ("hi".equals(part)) {
      highProduct(type);
    } else {
      operator(type, IMUL, LMUL);
    }
    return type;
  }

  private Type wideProduct(Instruction i, Type type) {
    if (type.bits() == 16) {
      push(i, 1, 2, type);
      asm.operator(IMUL);
      return type.signed() ? Type.S32 : Type.U32;
    }
    for (int k = 1; k <= 2; k++) {
      values.push(i.operand(k), type);
      values.widen(type.signed());
    }
    asm.operator(LMUL);
    return type.signed() ? Type.S64 : Type.U64;
  }

  private void highProduct(Type type) {
    if (type.bits() == 64) {
      asm.call(Math.class, type.signed() ? "multiplyHigh" : "unsignedMultiplyHigh", "(JJ)J");
    } else if (type.bits() == 16) {
      asm.operator(IMUL);
      asm.constant(16);
      asm.operator(ISHR);
    } else {
      asm.call(IntMath.class, signed("multiplyHigh", type), "(II)I");
    }
  }

  private void multiplyAdd(Instruction i, Modifiers m) {
    String part = m.takeOne("wide", "hi", "lo");
    boolean cc = m.take("cc");
    boolean saturate = m.take("sat");
    Type result = product(i, part, m.type());
    values.push(i.operand(3), result);
    if (cc) {
      sum(i, result, "add", false);
    } else if (saturate) {
      asm.call(IntMath.class, "addSaturated", "(II)I");
      result(i, result);
    } else {
      operator(result, IADD, LADD);
      result(i, result);
    }
  }

  private void multiplyAddCarry(Instruction i, Modifiers m) {
    String part = m.takeOne("hi", "lo");
    m.take("cc");
    Type result = product(i, part, m.type());
    values.push(i.operand(3), result);
    sum(i, result, "add", true);
  }

  private static String signed(String name, Type type) {
    return type.signed() ? name : name + "Unsigned";
  }

  /** Calls {@code name} of {@link IntMath} with {@code count} operands of {@code type}. */
  private void call(Instruction i, String name, Type type, int count) {
    push(i, 1, count, type);
    String letter = type.bits() == 64 ? "J" : "I";
    asm.call(IntMath.class, signed(name, type), "(" + letter.repeat(count) + ")" + letter);
    result(i, type);
  }

  private void minimum(Instruction i, Modifiers m, String name) {
    boolean relu = m.take("relu");
    Type type = m.type();
    if (!type.signed()) {
      call(i, name, type, 2);
      return;
    }
    push(i, 1, 2, type);
    String letter = type.bits() == 64 ? "J" : "I";
    asm.call(Math.class, name, "(" + letter + letter + ")" + letter);
    if (relu) {
      asm.constant(0);
      asm.call(Math.class, "max", "(II)I");
    }
    result(i, type);
  }

  private void unary(Instruction i, Type type, Class<?> owner, String name) {
    push(i, 1, 1, type);
    asm.call(owner, name, type.bits() == 64 ? "(J)J" : "(I)I");
    result(i, type);
  }

  private void negate(Instruction i, Type type) {
    push(i, 1, 1, type);
    operator(type, INEG, LNEG);
    result(i, type);
  }

  private void dot(Instruction i, Modifiers m, String name) {
    Type a = m.type();
    Type b = m.type();
    push(i, 1, 3, Type.B32);
    asm.constant(a.signed() ? 1 : 0);
    asm.constant(b.signed() ? 1 : 0);
    asm.call(IntMath.class, name, "(IIIII)I");
    result(i, Type.B32);
  }

  /** Whether {@code operand} is a constant between zero and {@code limit}, exclusive. */
  static boolean constantBelow(Operand operand, int limit) {
    return operand instanceof Operand.Whole whole && whole.value() >= 0 && whole.value() < limit;
  }
}
