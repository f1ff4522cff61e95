// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.parse;

import io.outboard.ptx.model.Operand;
import io.outboard.ptx.model.Type;

/** The bit pattern that a constant has in a variable of some type. */
final class Initial {
  private Initial() {}

  static long bits(Operand constant, Type type) {
    if (constant instanceof Operand.Whole whole) {
      return type.family() == Type.Family.FLOAT
          ? realBits((double) whole.value(), type)
          : whole.value();
    }
    Operand.Real real = (Operand.Real) constant;
    return real.single() && type.bits() == 32 ? real.singleBits() : realBits(real.value(), type);
  }

  private static long realBits(double value, Type type) {
    return switch (type) {
      case F64, B64 -> Double.doubleToRawLongBits(value);
      case F16 -> Float.floatToFloat16((float) value);
      default -> Float.floatToRawIntBits((float) value);
    };
  }
}
