// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.emit;

import static java.lang.classfile.Opcode.*;

import io.outboard.ptx.math.Conversions;
import io.outboard.ptx.math.FloatMath;
import io.outboard.ptx.math.HalfMath;
import io.outboard.ptx.math.Rounding;
import io.outboard.ptx.model.Instruction;
import io.outboard.ptx.model.Type;

/** The {@code cvt} instruction. */
final class ConvertEmitter {
  private final Values values;
  private final Asm asm;
  private boolean flush;
  private boolean saturate;
  private boolean relu;
  private int rounding;

  ConvertEmitter(Values values) {
    this.values = values;
    this.asm = values.asm();
  }

  void emit(Instruction i, Modifiers m) {
    flush = m.take("ftz");
    saturate = m.take("sat");
    relu = m.take("relu");
    String integerMode = m.takeOne("rni", "rzi", "rmi", "rpi");
    rounding =
        integerMode == null ? FloatEmitter.rounding(m) : " nzmp".indexOf(integerMode.charAt(1)) - 1;
    Type to = m.type();
    Type from = m.type();
    if (i.count() == 3) {
      pack(i, to, from);
      return;
    }
    values.push(i.operand(1), from);
    convert(from, to, integerMode != null);
    values.pop(i.operand(0), to.half() ? Type.B16 : to);
  }

  /** {@code cvt.rn.f16x2.f32 d, a, b}: a goes to the upper half. */
  private void pack(Instruction i, Type to, Type from) {
    if (from != Type.F32 || to.family() != Type.Family.PACKED) {
      throw new Unsupported("this pair of types");
    }
    Type half = to == Type.F16X2 ? Type.F16 : Type.BF16;
    for (int k = 1; k <= 2; k++) {
      values.push(i.operand(k), Type.F32);
      toHalf(Type.F32, half);
    }
    asm.call(HalfMath.class, "pack", "(II)I");
    values.pop(i.operand(0), Type.B32);
  }

  private void convert(Type from, Type to, boolean toIntegral) {
    if (to.family() == Type.Family.PACKED || from.family() == Type.Family.PACKED) {
      throw new Unsupported("this pair of types");
    }
    if (from.integral()) {
      fromInteger(from, to);
    } else if (to.integral()) {
      realToInteger(from, to);
    } else {
      realToReal(from, to, toIntegral);
    }
  }

  private void fromInteger(Type from, Type to) {
    if (to.integral()) {
      integerToInteger(from, to);
    } else {
      integerToReal(from, to);
    }
  }

  private void integerToInteger(Type from, Type to) {
    if (saturate) {
      asLong(from);
      asm.constant(from.signed() ? 1 : 0);
      asm.constant(to.bits());
      asm.constant(to.signed() ? 1 : 0);
      asm.call(Conversions.class, "saturate", "(JIII)J");
      narrow(to);
    } else if (to.bits() == 64) {
      asLong(from);
    } else {
      if (from.bits() == 64) {
        asm.convert(L2I);
      }
      cut(to);
    }
  }

  private void asLong(Type from) {
    if (from.bits() < 64) {
      values.widen(from.signed());
    }
  }

  private void narrow(Type to) {
    if (to.bits() < 64) {
      asm.convert(L2I);
    }
  }

  /** Keeps the low bits of an int and extends them as {@code to} says. */
  private void cut(Type to) {
    switch (to) {
      case S8 -> asm.convert(I2B);
      case S16 -> asm.convert(I2S);
      case U16, B16 -> asm.convert(I2C);
      case U8, B8 -> {
        asm.constant(0xff);
        asm.operator(IAND);
      }
      default -> {}
    }
  }

  private void integerToReal(Type from, Type to) {
    asLong(from);
    boolean plain = rounding == Rounding.NEAREST && (from.signed() || from.bits() < 64);
    if (plain && !to.half()) {
      asm.convert(to == Type.F64 ? L2D : L2F);
    } else {
      asm.constant(from.signed() ? 1 : 0);
      asm.constant(rounding);
      asm.call(Conversions.class, "to" + suffix(to), "(JII)" + (to.half() ? "I" : Asm.letter(to)));
    }
    if (saturate && !to.half()) {
      asm.call(FloatMath.class, "saturate", to == Type.F64 ? "(D)D" : "(F)F");
    }
  }

  private static String suffix(Type to) {
    return switch (to) {
      case F16 -> "Half";
      case BF16 -> "Brain";
      case F32 -> "Float";
      default -> "Double";
    };
  }

  private void flushFloat() {
    if (flush) {
      asm.call(FloatMath.class, "flush", "(F)F");
    }
  }

  /** Pushes the half on the stack as a float. */
  private void widenHalf(Type from) {
    if (from.half()) {
      asm.call(HalfMath.class, from == Type.F16 ? "fromHalf" : "fromBrain", "(I)F");
    }
  }

  private void realToInteger(Type from, Type to) {
    widenHalf(from);
    if (from != Type.F64) {
      flushFloat();
    }
    boolean simple = rounding == Rounding.ZERO && to == Type.S32 && from != Type.F64;
    if (simple) {
      asm.convert(F2I);
      return;
    }
    if (from != Type.F64) {
      asm.convert(F2D);
    }
    asm.constant(rounding);
    asm.constant(to.bits());
    asm.constant(to.signed() ? 1 : 0);
    asm.constant(from == Type.F64 || to.bits() == 64 ? 1 : 0);
    asm.call(Conversions.class, "toInteger", "(DIIII)J");
    narrow(to);
  }

  private void realToReal(Type from, Type to, boolean toIntegral) {
    widenHalf(from);
    if (from == Type.F32) {
      flushFloat();
    }
    Type wide = from == Type.F64 ? Type.F64 : Type.F32;
    if (toIntegral) {
      toIntegral(wide);
    }
    if (to.half()) {
      toHalf(wide, to);
    } else {
      toWide(wide, to);
    }
  }

  private void toIntegral(Type wide) {
    if (wide == Type.F32) {
      asm.convert(F2D);
    }
    asm.constant(rounding);
    asm.call(Conversions.class, "integral", "(DI)D");
    if (wide == Type.F32) {
      asm.convert(D2F);
    }
  }

  private void toWide(Type from, Type to) {
    if (from == Type.F32 && to == Type.F64) {
      asm.convert(F2D);
    } else if (from == Type.F64 && to == Type.F32) {
      asm.constant(rounding);
      asm.call(Rounding.class, "toFloat", "(DI)F");
      flushFloat();
    } else if (to == Type.F32) {
      flushFloat();
    }
    if (saturate) {
      asm.call(FloatMath.class, "saturate", to == Type.F64 ? "(D)D" : "(F)F");
    }
  }

  private void toHalf(Type wide, Type to) {
    if (wide == Type.F32) {
      asm.convert(F2D);
    }
    asm.constant(rounding);
    asm.call(Conversions.class, to == Type.F16 ? "doubleToHalf" : "doubleToBrain", "(DI)I");
    if (saturate || relu) {
      asm.constant(0);
      asm.constant(0);
      asm.constant(saturate ? HalfMath.SATURATE : HalfMath.RELU);
      asm.call(HalfMath.class, to == Type.F16 ? "half" : "brain", "(IIII)I");
    }
  }
}
