// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.math;

import io.outboard.ptx.model.Type;

/** The effect of an atomic instruction on the value in memory (PTX ISA, "atom"). */
public final class AtomicOperation {
  public static final int ADD = 0;
  public static final int EXCHANGE = 1;
  private static final int AND = 2;
  private static final int OR = 3;
  private static final int XOR = 4;
  private static final int MIN = 5;
  private static final int MAX = 6;
  private static final int MIN_UNSIGNED = 7;
  private static final int MAX_UNSIGNED = 8;
  private static final int INCREMENT = 9;
  private static final int DECREMENT = 10;
  private static final int ADD_REAL = 11;
  private static final int ADD_HALF = 12;
  private static final int ADD_HALF2 = 13;
  private static final int ADD_BRAIN = 14;
  private static final int ADD_BRAIN2 = 15;

  private AtomicOperation() {}

  /** The operations' names. */
  public static String[] names() {
    return new String[] {"add", "exch", "cas", "and", "or", "xor", "min", "max", "inc", "dec"};
  }

  /** The number of operation {@code name} on {@code type}. */
  public static int code(String name, Type type) {
    return switch (name) {
      case "add" -> addition(type);
      case "exch" -> EXCHANGE;
      case "and" -> AND;
      case "or" -> OR;
      case "xor" -> XOR;
      case "min" -> type.signed() ? MIN : MIN_UNSIGNED;
      case "max" -> type.signed() ? MAX : MAX_UNSIGNED;
      case "inc" -> INCREMENT;
      default -> DECREMENT;
    };
  }

  private static int addition(Type type) {
    return switch (type) {
      case F32, F64 -> ADD_REAL;
      case F16 -> ADD_HALF;
      case F16X2 -> ADD_HALF2;
      case BF16 -> ADD_BRAIN;
      case BF16X2 -> ADD_BRAIN2;
      default -> ADD;
    };
  }

  public static int apply(int operation, int before, int operand) {
    return switch (operation) {
      case ADD -> before + operand;
      case EXCHANGE -> operand;
      case AND -> before & operand;
      case OR -> before | operand;
      case XOR -> before ^ operand;
      case MIN -> Math.min(before, operand);
      case MAX -> Math.max(before, operand);
      case MIN_UNSIGNED -> IntMath.minUnsigned(before, operand);
      case MAX_UNSIGNED -> IntMath.maxUnsigned(before, operand);
      case INCREMENT -> Integer.compareUnsigned(before, operand) >= 0 ? 0 : before + 1;
      case DECREMENT ->
          before == 0 || Integer.compareUnsigned(before, operand) > 0 ? operand : before - 1;
      default -> applyReal(operation, before, operand);
    };
  }

  private static int applyReal(int operation, int before, int operand) {
    return switch (operation) {
      case ADD_REAL ->
          Float.floatToRawIntBits(Float.intBitsToFloat(before) + Float.intBitsToFloat(operand));
      case ADD_HALF -> HalfMath.half(before, operand, 0, HalfMath.ADD);
      case ADD_HALF2 -> HalfMath.half2(before, operand, 0, HalfMath.ADD);
      case ADD_BRAIN -> HalfMath.brain(before, operand, 0, HalfMath.ADD);
      default -> HalfMath.brain2(before, operand, 0, HalfMath.ADD);
    };
  }

  public static long apply(int operation, long before, long operand) {
    return switch (operation) {
      case ADD -> before + operand;
      case EXCHANGE -> operand;
      case AND -> before & operand;
      case OR -> before | operand;
      case XOR -> before ^ operand;
      case MIN -> Math.min(before, operand);
      case MAX -> Math.max(before, operand);
      case MIN_UNSIGNED -> IntMath.minUnsigned(before, operand);
      case MAX_UNSIGNED -> IntMath.maxUnsigned(before, operand);
      case INCREMENT -> Long.compareUnsigned(before, operand) >= 0 ? 0 : before + 1;
      case DECREMENT ->
          before == 0 || Long.compareUnsigned(before, operand) > 0 ? operand : before - 1;
      default ->
          Double.doubleToRawLongBits(
              Double.longBitsToDouble(before) + Double.longBitsToDouble(operand));
    };
  }
}
