// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.emit;

import io.outboard.ptx.math.HalfMath;
import io.outboard.ptx.model.Instruction;
import io.outboard.ptx.model.Type;

/** Arithmetic on f16, bf16 and pairs of them; values are bit patterns in an int. */
final class HalfEmitter {
  private final Values values;
  private final Asm asm;

  HalfEmitter(Values values) {
    this.values = values;
    this.asm = values.asm();
  }

  /** Writes {@code i}, whose type is one of the half-precision ones. */
  void emit(Instruction i, Modifiers m) {
    m.ignore("rn", "ftz", "noftz", "approx");
    boolean saturate = m.take("sat");
    boolean relu = m.take("relu");
    boolean nan = m.take("NaN");
    int operation = operation(i.root(), nan);
    Type type = m.type();
    for (int k = 1; k <= 3; k++) {
      pushOrZero(i, k, type);
    }
    asm.constant(operation);
    asm.call(HalfMath.class, name(type), "(IIII)I");
    clamp(type, saturate, relu);
    values.pop(i.operand(0), bits(type));
  }

  private void pushOrZero(Instruction i, int k, Type type) {
    if (k < i.count()) {
      values.push(i.operand(k), type);
    } else {
      asm.constant(0);
    }
  }

  private void clamp(Type type, boolean saturate, boolean relu) {
    if (saturate || relu) {
      asm.constant(0);
      asm.constant(0);
      asm.constant(saturate ? HalfMath.SATURATE : HalfMath.RELU);
      asm.call(HalfMath.class, name(type), "(IIII)I");
    }
  }

  private static Type bits(Type type) {
    return type.bits() == 32 ? Type.B32 : Type.B16;
  }

  private static String name(Type type) {
    return switch (type) {
      case F16 -> "half";
      case F16X2 -> "half2";
      case BF16 -> "brain";
      default -> "brain2";
    };
  }

  private static int operation(String root, boolean nan) {
    return switch (root) {
      case "add" -> HalfMath.ADD;
      case "sub" -> HalfMath.SUBTRACT;
      case "mul" -> HalfMath.MULTIPLY;
      case "fma" -> HalfMath.FMA;
      case "neg" -> HalfMath.NEGATE;
      case "abs" -> HalfMath.ABSOLUTE;
      case "min" -> nan ? HalfMath.MINIMUM_NAN : HalfMath.MINIMUM;
      case "max" -> nan ? HalfMath.MAXIMUM_NAN : HalfMath.MAXIMUM;
      case "ex2" -> HalfMath.POWER2;
      case "tanh" -> HalfMath.TANH;
      default -> throw new Unsupported("");
    };
  }
}
