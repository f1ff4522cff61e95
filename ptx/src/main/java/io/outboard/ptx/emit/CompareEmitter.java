// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.emit;

import static java.lang.classfile.Opcode.*;

import io.outboard.ptx.math.FloatMath;
import io.outboard.ptx.math.HalfMath;
import io.outboard.ptx.model.Instruction;
import io.outboard.ptx.model.Operand;
import io.outboard.ptx.model.Type;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;

/** Comparison and selection (PTX ISA, "Comparison and Selection Instructions"). */
final class CompareEmitter {
  private final Values values;
  private final Asm asm;

  CompareEmitter(Values values) {
    this.values = values;
    this.asm = values.asm();
  }

  /** Writes {@code i}; returns false where it is none of these. */
  boolean emit(Instruction i, Modifiers m) {
    switch (i.root()) {
      case "setp" -> setPredicate(i, m);
      case "set" -> set(i, m);
      case "selp" -> select(i, m.type());
      case "slct" -> selectBySign(i, m);
      case "testp" -> test(i, m);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void setPredicate(Instruction i, Modifiers m) {
    String comparison = m.next();
    Opcode combine = combination(m);
    boolean flush = m.take("ftz");
    Type type = m.type();
    if (i.operand(0) instanceof Operand.Pair pair) {
      predicatePair(i, pair, comparison, combine, flush, type);
    } else {
      compare(i, comparison, flush, type);
      combine(i, combine);
      values.pop(i.operand(0), Type.PRED);
    }
  }

  private void predicatePair(
      Instruction i,
      Operand.Pair pair,
      String comparison,
      Opcode combine,
      boolean flush,
      Type type) {
    int outcome = asm.temporary(TypeKind.INT);
    int other = asm.temporary(TypeKind.INT);
    compare(i, comparison, flush, type);
    asm.store(TypeKind.INT, outcome);
    asm.load(TypeKind.INT, outcome);
    asm.constant(1);
    asm.operator(IXOR);
    combine(i, combine);
    asm.store(TypeKind.INT, other);
    asm.load(TypeKind.INT, outcome);
    combine(i, combine);
    values.pop(pair.first(), Type.PRED);
    asm.load(TypeKind.INT, other);
    values.pop(pair.second(), Type.PRED);
  }

  private static Opcode combination(Modifiers m) {
    String name = m.takeOne("and", "or", "xor");
    return name == null ? null : name.equals("and") ? IAND : name.equals("or") ? IOR : IXOR;
  }

  private void combine(Instruction i, Opcode combine) {
    if (combine != null) {
      values.push(i.operand(3), Type.PRED);
      asm.operator(combine);
    }
  }

  private void set(Instruction i, Modifiers m) {
    String comparison = m.next();
    Opcode combine = combination(m);
    boolean flush = m.take("ftz");
    Type result = m.type();
    compare(i, comparison, flush, m.type());
    combine(i, combine);
    if (result == Type.F32) {
      asm.convert(I2F);
    } else {
      asm.operator(INEG);
    }
    values.pop(i.operand(0), result);
  }

  /** Pushes 1 where the comparison of operands 1 and 2 holds, else 0. */
  private void compare(Instruction i, String comparison, boolean flush, Type type) {
    for (int k = 1; k <= 2; k++) {
      values.push(i.operand(k), type);
      prepare(type, flush);
    }
    switch (type.family()) {
      case FLOAT -> compareReals(comparison, type == Type.F64);
      case PACKED -> throw new Unsupported("packed comparison");
      default -> compareIntegers(comparison, type);
    }
  }

  private void prepare(Type type, boolean flush) {
    if (type.half()) {
      asm.call(HalfMath.class, type == Type.F16 ? "fromHalf" : "fromBrain", "(I)F");
    } else if (flush && type == Type.F32) {
      asm.call(FloatMath.class, "flush", "(F)F");
    }
  }

  private void compareIntegers(String comparison, Type type) {
    boolean unsignedName = comparison.length() == 2 && "lo ls hi hs".contains(comparison);
    boolean unsigned =
        unsignedName || (!type.signed() && !"eq".equals(comparison) && !"ne".equals(comparison));
    Opcode opcode = integerBranch(comparison);
    if (type.bits() == 64) {
      if (unsigned) {
        asm.call(Long.class, "compareUnsigned", "(JJ)I");
      } else {
        asm.operator(LCMP);
      }
    } else if (unsigned && type.bits() == 32) {
      asm.call(Integer.class, "compareUnsigned", "(II)I");
    } else {
      opcode = twoOperands(opcode);
    }
    truth(opcode);
  }

  private static Opcode integerBranch(String comparison) {
    return switch (comparison) {
      case "eq" -> IFEQ;
      case "ne" -> IFNE;
      case "lt", "lo" -> IFLT;
      case "le", "ls" -> IFLE;
      case "gt", "hi" -> IFGT;
      case "ge", "hs" -> IFGE;
      default -> throw new Unsupported("comparison ." + comparison);
    };
  }

  private static Opcode twoOperands(Opcode opcode) {
    return switch (opcode) {
      case IFEQ -> IF_ICMPEQ;
      case IFNE -> IF_ICMPNE;
      case IFLT -> IF_ICMPLT;
      case IFLE -> IF_ICMPLE;
      case IFGT -> IF_ICMPGT;
      default -> IF_ICMPGE;
    };
  }

  /** FCMPL and FCMPG differ in what they say of NaN: less, or greater. */
  private void compareReals(String comparison, boolean twofold) {
    switch (comparison) {
      case "eq" -> reals(twofold, false, IFEQ);
      case "lt" -> reals(twofold, true, IFLT);
      case "le" -> reals(twofold, true, IFLE);
      case "gt" -> reals(twofold, false, IFGT);
      case "ge" -> reals(twofold, false, IFGE);
      case "neu" -> reals(twofold, false, IFNE);
      case "ltu" -> reals(twofold, false, IFLT);
      case "leu" -> reals(twofold, false, IFLE);
      case "gtu" -> reals(twofold, true, IFGT);
      case "geu" -> reals(twofold, true, IFGE);
      case "ne" -> realsByCall("orderedNotEqual", twofold);
      case "equ" -> realsByCall("unorderedEqual", twofold);
      case "num" -> realsByCall("ordered", twofold);
      case "nan" -> realsByCall("unordered", twofold);
      default -> throw new Unsupported("comparison ." + comparison);
    }
  }

  private void reals(boolean twofold, boolean nanGreater, Opcode branch) {
    asm.operator(twofold ? nanGreater ? DCMPG : DCMPL : nanGreater ? FCMPG : FCMPL);
    truth(branch);
  }

  private void realsByCall(String name, boolean twofold) {
    asm.call(FloatMath.class, name, twofold ? "(DD)I" : "(FF)I");
  }

  private void truth(Opcode branch) {
    Label yes = asm.label();
    Label end = asm.label();
    asm.branch(branch, yes);
    asm.constant(0);
    asm.branch(GOTO, end);
    asm.bind(yes);
    asm.constant(1);
    asm.bind(end);
  }

  private void select(Instruction i, Type type) {
    values.push(i.operand(3), Type.PRED);
    choose(i, type, IFEQ);
  }

  /** With an int pushed: takes operand 2 where {@code otherwise} holds, else operand 1. */
  private void choose(Instruction i, Type type, Opcode otherwise) {
    Label second = asm.label();
    Label end = asm.label();
    asm.branch(otherwise, second);
    values.push(i.operand(1), type);
    asm.branch(GOTO, end);
    asm.bind(second);
    values.push(i.operand(2), type);
    asm.bind(end);
    values.pop(i.operand(0), type);
  }

  private void selectBySign(Instruction i, Modifiers m) {
    boolean flush = m.take("ftz");
    Type type = m.type();
    Type sign = m.type();
    values.push(i.operand(3), sign);
    if (sign == Type.F32) {
      prepare(sign, flush);
      asm.constant(0f);
      asm.operator(FCMPL);
    }
    choose(i, type, IFLT);
  }

  private void test(Instruction i, Modifiers m) {
    String property =
        m.takeOne("finite", "infinite", "number", "notanumber", "normal", "subnormal");
    if (property == null) {
      throw new Unsupported("no property");
    }
    Type type = m.type();
    values.push(i.operand(1), type);
    asm.call(FloatMath.class, property, type == Type.F64 ? "(D)I" : "(F)I");
    values.pop(i.operand(0), Type.PRED);
  }
}
