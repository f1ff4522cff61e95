// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.emit;

import static java.lang.classfile.Opcode.*;

import io.outboard.ptx.math.FloatMath;
import io.outboard.ptx.math.Rounding;
import io.outboard.ptx.model.Instruction;
import io.outboard.ptx.model.Type;
import java.lang.classfile.Opcode;

/** Arithmetic on f32 and f64 (PTX ISA, "Floating Point Instructions"). */
final class FloatEmitter {
  private final Values values;
  private final Asm asm;
  private boolean flush;
  private boolean saturate;
  private int rounding;

  FloatEmitter(Values values) {
    this.values = values;
    this.asm = values.asm();
  }

  /** The rounding mode that {@code m} names, as {@link Rounding} counts them. */
  static int rounding(Modifiers m) {
    String mode = m.takeOne("rn", "rz", "rm", "rp");
    return mode == null ? Rounding.NEAREST : " nzmp".indexOf(mode.charAt(1)) - 1;
  }

  /** Writes {@code i}, whose type is f32 or f64. */
  void emit(Instruction i, Modifiers m) {
    flush = m.take("ftz");
    saturate = m.take("sat");
    rounding = rounding(m);
    boolean approximate = m.take("approx") || m.take("full");
    switch (i.root()) {
      case "add" -> binary(i, m.type(), FADD, DADD, "add");
      case "sub" -> binary(i, m.type(), FSUB, DSUB, "subtract");
      case "mul" -> binary(i, m.type(), FMUL, DMUL, "multiply");
      case "div" -> binary(i, m.type(), FDIV, DDIV, "divide");
      case "fma", "mad" -> fused(i, m.type());
      case "min" -> minimum(i, m, "min");
      case "max" -> minimum(i, m, "max");
      case "abs" -> unary(i, m.type(), Math.class, "abs");
      case "neg" -> negate(i, m.type());
      case "copysign" -> copySign(i, m.type());
      case "rcp" -> rounded(i, m.type(), "reciprocal");
      case "sqrt" -> rounded(i, m.type(), "squareRoot");
      default -> transcendental(i, m, approximate);
    }
  }

  private void transcendental(Instruction i, Modifiers m, boolean approximate) {
    String name =
        switch (i.root()) {
          case "rsqrt" -> "reciprocalSquareRoot";
          case "sin" -> "sine";
          case "cos" -> "cosine";
          case "lg2" -> "logarithm2";
          case "ex2" -> "power2";
          case "tanh" -> "hyperbolicTangent";
          default -> throw new Unsupported("");
        };
    if (!approximate) {
      throw new Unsupported("without .approx");
    }
    unary(i, m.type(), FloatMath.class, name);
  }

  private void push(Instruction i, int index, Type type) {
    values.push(i.operand(index), type);
    flush(type);
  }

  private void flush(Type type) {
    if (flush && type == Type.F32) {
      asm.call(FloatMath.class, "flush", "(F)F");
    }
  }

  private void result(Instruction i, Type type) {
    flush(type);
    if (saturate) {
      asm.call(FloatMath.class, "saturate", descriptor(type, 1, ""));
    }
    values.pop(i.operand(0), type);
  }

  private static String descriptor(Type type, int count, String more) {
    String letter = type == Type.F64 ? "D" : "F";
    return "(" + letter.repeat(count) + more + ")" + letter;
  }

  private void binary(Instruction i, Type type, Opcode single, Opcode twofold, String name) {
    push(i, 1, type);
    push(i, 2, type);
    if (rounding == Rounding.NEAREST) {
      asm.operator(type == Type.F64 ? twofold : single);
    } else {
      asm.constant(rounding);
      asm.call(Rounding.class, name, descriptor(type, 2, "I"));
    }
    result(i, type);
  }

  private void fused(Instruction i, Type type) {
    push(i, 1, type);
    push(i, 2, type);
    push(i, 3, type);
    if (rounding == Rounding.NEAREST) {
      asm.call(Math.class, "fma", descriptor(type, 3, ""));
    } else {
      asm.constant(rounding);
      asm.call(Rounding.class, "fma", descriptor(type, 3, "I"));
    }
    result(i, type);
  }

  private void minimum(Instruction i, Modifiers m, String name) {
    boolean nan = m.take("NaN");
    Type type = m.type();
    for (int k = 1; k < i.count(); k++) {
      push(i, k, type);
      if (k > 1) {
        asm.call(nan ? Math.class : FloatMath.class, name, descriptor(type, 2, ""));
      }
    }
    result(i, type);
  }

  private void unary(Instruction i, Type type, Class<?> owner, String name) {
    push(i, 1, type);
    asm.call(owner, name, descriptor(type, 1, ""));
    result(i, type);
  }

  private void rounded(Instruction i, Type type, String name) {
    push(i, 1, type);
    asm.constant(rounding);
    asm.call(Rounding.class, name, descriptor(type, 1, "I"));
    result(i, type);
  }

  private void negate(Instruction i, Type type) {
    push(i, 1, type);
    asm.operator(type == Type.F64 ? DNEG : FNEG);
    result(i, type);
  }

  /** PTX gives the sign first, Java the magnitude. */
  private void copySign(Instruction i, Type type) {
    push(i, 2, type);
    push(i, 1, type);
    asm.call(Math.class, "copySign", descriptor(type, 2, ""));
    result(i, type);
  }
}
