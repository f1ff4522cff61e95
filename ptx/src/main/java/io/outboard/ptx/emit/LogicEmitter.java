// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.emit;

import static java.lang.classfile.Opcode.*;

import io.outboard.ptx.math.BitMath;
import io.outboard.ptx.model.Instruction;
import io.outboard.ptx.model.Type;
import java.lang.classfile.Opcode;
import java.util.Locale;

/** Logic, shifts, and what works on single bits (PTX ISA, "Logic and Shift Instructions"). */
final class LogicEmitter {
  private final Values values;
  private final Asm asm;

  LogicEmitter(Values values) {
    this.values = values;
    this.asm = values.asm();
  }

  /** Writes {@code i}; returns false where it is none of these. */
  boolean emit(Instruction i, Modifiers m) {
    switch (i.root()) {
      case "and" -> binary(i, m.type(), IAND, LAND);
      case "or" -> binary(i, m.type(), IOR, LOR);
      case "xor" -> binary(i, m.type(), IXOR, LXOR);
      case "not" -> not(i, m.type());
      case "cnot" -> unary(i, m.type(), BitMath.class, "isZero", false);
      case "shl" -> shift(i, m.type(), ISHL, LSHL, "shiftLeft");
      case "shr" -> shiftRight(i, m.type());
      case "shf" -> funnel(i, m);
      case "lop3" -> lop3(i, m);
      case "prmt" -> permute(i, m);
      case "bfe" -> extract(i, m.type());
      case "bfi" -> insert(i, m.type());
      case "bmsk" -> mask(i, m);
      case "szext" -> extend(i, m);
      case "brev" -> reverse(i, m.type());
      case "popc" -> count(i, m.type(), "bitCount");
      case "clz" -> count(i, m.type(), "numberOfLeadingZeros");
      case "bfind" -> find(i, m);
      case "fns" -> findSet(i, m.type());
      default -> {
        return false;
      }
    }
    return true;
  }

  private void binary(Instruction i, Type type, Opcode narrow, Opcode wide) {
    values.push(i.operand(1), type);
    values.push(i.operand(2), type);
    asm.operator(type.bits() == 64 ? wide : narrow);
    values.pop(i.operand(0), type);
  }

  private void not(Instruction i, Type type) {
    values.push(i.operand(1), type);
    if (type.bits() == 64) {
      asm.constant(-1L);
      asm.operator(LXOR);
    } else {
      asm.constant(type == Type.PRED ? 1 : -1);
      asm.operator(IXOR);
    }
    values.pop(i.operand(0), type);
  }

  private static Class<?> boxOf(Type type) {
    return type.bits() == 64 ? Long.class : Integer.class;
  }

  private void unary(Instruction i, Type type, Class<?> owner, String name, boolean toInt) {
    values.push(i.operand(1), type);
    String letter = type.bits() == 64 ? "J" : "I";
    asm.call(owner, name, "(" + letter + ")" + (toInt ? "I" : letter));
    values.pop(i.operand(0), toInt ? Type.U32 : type);
  }

  private void count(Instruction i, Type type, String name) {
    unary(i, type, boxOf(type), name, true);
  }

  private void reverse(Instruction i, Type type) {
    unary(i, type, boxOf(type), "reverse", false);
  }

  private void shiftRight(Instruction i, Type type) {
    if (type.signed()) {
      shift(i, type, ISHR, LSHR, "shiftRight");
    } else {
      shift(i, type, IUSHR, LUSHR, "shiftRightUnsigned");
    }
  }

  /** The JVM takes shift amounts modulo the width, PTX clamps them. */
  private void shift(Instruction i, Type type, Opcode narrow, Opcode wide, String name) {
    values.push(i.operand(1), type);
    values.push(i.operand(2), Type.U32);
    boolean is64 = type.bits() == 64;
    if (IntegerEmitter.constantBelow(i.operand(2), is64 ? 64 : 32)) {
      asm.operator(is64 ? wide : narrow);
    } else {
      asm.call(BitMath.class, name, is64 ? "(JI)J" : "(II)I");
    }
    values.pop(i.operand(0), type);
  }

  private void pushAll(Instruction i, Type type) {
    for (int k = 1; k < i.count(); k++) {
      values.push(i.operand(k), type);
    }
  }

  private void funnel(Instruction i, Modifiers m) {
    boolean left = m.take("l");
    if (!left && !m.take("r")) {
      throw new Unsupported("direction");
    }
    boolean wrap = m.take("wrap");
    m.take("clamp");
    Type type = m.type();
    pushAll(i, type);
    asm.call(
        BitMath.class, (left ? "funnelLeft" : "funnelRight") + (wrap ? "Wrap" : "Clamp"), "(III)I");
    values.pop(i.operand(0), type);
  }

  private void lop3(Instruction i, Modifiers m) {
    Type type = m.type();
    pushAll(i, type);
    asm.call(BitMath.class, "lop3", "(IIII)I");
    values.pop(i.operand(0), type);
  }

  private void permute(Instruction i, Modifiers m) {
    Type type = m.type();
    String mode = m.takeOne("f4e", "b4e", "rc8", "ecl", "ecr", "rc16");
    pushAll(i, type);
    asm.call(
        BitMath.class,
        mode == null ? "permute" : "permute" + mode.toUpperCase(Locale.ROOT),
        "(III)I");
    values.pop(i.operand(0), type);
  }

  private void extract(Instruction i, Type type) {
    values.push(i.operand(1), type);
    values.push(i.operand(2), Type.U32);
    values.push(i.operand(3), Type.U32);
    String name = type.signed() ? "extract" : "extractUnsigned";
    asm.call(BitMath.class, name, type.bits() == 64 ? "(JII)J" : "(III)I");
    values.pop(i.operand(0), type);
  }

  private void insert(Instruction i, Type type) {
    values.push(i.operand(1), type);
    values.push(i.operand(2), type);
    values.push(i.operand(3), Type.U32);
    values.push(i.operand(4), Type.U32);
    asm.call(BitMath.class, "insert", type.bits() == 64 ? "(JJII)J" : "(IIII)I");
    values.pop(i.operand(0), type);
  }

  private void mask(Instruction i, Modifiers m) {
    boolean wrap = m.take("wrap");
    m.take("clamp");
    Type type = m.type();
    pushAll(i, type);
    asm.call(BitMath.class, wrap ? "maskWrap" : "maskClamp", "(II)I");
    values.pop(i.operand(0), type);
  }

  private void extend(Instruction i, Modifiers m) {
    boolean wrap = m.take("wrap");
    m.take("clamp");
    Type type = m.type();
    pushAll(i, type);
    asm.constant(wrap ? 1 : 0);
    asm.call(BitMath.class, type.signed() ? "signExtend" : "zeroExtend", "(III)I");
    values.pop(i.operand(0), type);
  }

  private void find(Instruction i, Modifiers m) {
    boolean amount = m.take("shiftamt");
    Type type = m.type();
    values.push(i.operand(1), type);
    asm.constant(amount ? 1 : 0);
    String name = type.signed() ? "findSigned" : "find";
    asm.call(BitMath.class, name, type.bits() == 64 ? "(JI)I" : "(II)I");
    values.pop(i.operand(0), Type.U32);
  }

  private void findSet(Instruction i, Type type) {
    pushAll(i, type);
    asm.call(BitMath.class, "findNthSet", "(III)I");
    values.pop(i.operand(0), type);
  }
}
