// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.emit;

import static java.lang.classfile.Opcode.I2B;
import static java.lang.classfile.Opcode.I2C;
import static java.lang.classfile.Opcode.I2L;
import static java.lang.classfile.Opcode.I2S;
import static java.lang.classfile.Opcode.IAND;
import static java.lang.classfile.Opcode.IXOR;
import static java.lang.classfile.Opcode.L2I;
import static java.lang.classfile.Opcode.LADD;
import static java.lang.classfile.Opcode.LAND;

import io.outboard.ptx.model.Operand;
import io.outboard.ptx.model.Register;
import io.outboard.ptx.model.Special;
import io.outboard.ptx.model.Type;
import io.outboard.ptx.model.Variable;
import java.lang.classfile.TypeKind;
import java.util.Locale;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * Moves values between registers and the operand stack. A register of 16 or 8 bits is an int whose
 * upper bits are zero, a predicate an int that is 0 or 1; 32 and 64 bits are int or long, or float
 * or double where the register was declared so.
 */
public final class Values {
  private final Asm asm;
  private final ToIntFunction<Register> slots;
  private final ToLongFunction<Variable> addresses;
  private final SpecialRegisters specials;

  public Values(Asm asm, ToIntFunction<Register> slots, ToLongFunction<Variable> addresses) {
    this.asm = asm;
    this.slots = slots;
    this.addresses = addresses;
    this.specials = new SpecialRegisters(asm);
  }

  Asm asm() {
    return asm;
  }

  /** Pushes {@code operand} as a value of {@code type}. */
  public void push(Operand operand, Type type) {
    switch (operand) {
      case Register register -> pushRegister(register, type);
      case Operand.Whole whole -> pushWhole(whole.value(), type);
      case Operand.Real real -> pushReal(real, type);
      case Operand.Symbol symbol -> pushWhole(address(symbol), type);
      case Special special -> fromBits(specials.push(special.name()), type);
      case Operand.Not not -> pushNot(not, type);
      case Operand.Address sum -> pushSum(sum, type);
      default -> throw new Unsupported("operand " + operand);
    }
  }

  /** The address of {@code symbol} in its own state space. */
  long address(Operand.Symbol symbol) {
    return addresses.applyAsLong(symbol.variable()) + symbol.offset();
  }

  private void pushNot(Operand.Not not, Type type) {
    push(not.operand(), type);
    asm.constant(1);
    asm.operator(IXOR);
  }

  private void pushSum(Operand.Address sum, Type type) {
    pushAddress(sum);
    if (type.bits() != 64) {
      asm.convert(L2I);
    }
  }

  /** Pushes base plus offset as a long. */
  void pushAddress(Operand.Address address) {
    long offset = address.offset();
    switch (address.base()) {
      case Operand.Symbol symbol -> asm.constant(address(symbol) + offset);
      case Operand.Whole whole -> asm.constant(whole.value() + offset);
      case Register register -> {
        pushRegister(register, register.type().bits() == 64 ? Type.B64 : Type.B32);
        extendAddress(register);
        addOffset(offset);
      }
      default -> throw new Unsupported("address " + address);
    }
  }

  private void extendAddress(Register register) {
    if (register.type().bits() != 64) {
      widen(false);
    }
  }

  private void addOffset(long offset) {
    if (offset != 0) {
      asm.constant(offset);
      asm.operator(LADD);
    }
  }

  private void pushRegister(Register register, Type type) {
    TypeKind kind = Asm.kind(register.type());
    asm.load(kind, slots.applyAsInt(register));
    switch (kind) {
      case FLOAT -> fromFloat(type);
      case DOUBLE -> fromDouble(type);
      default -> fromBits(register.type(), type);
    }
  }

  private void fromFloat(Type type) {
    if (type != Type.F32) {
      asm.call(Float.class, "floatToRawIntBits", "(F)I");
      fromBits(Type.B32, type);
    }
  }

  private void fromDouble(Type type) {
    if (type != Type.F64) {
      asm.call(Double.class, "doubleToRawLongBits", "(D)J");
      fromBits(Type.B64, type);
    }
  }

  /** Turns an int or long that holds {@code from} into {@code to}. */
  private void fromBits(Type from, Type to) {
    if (to.bits() > from.bits() && !(to.bits() == 32 && from.bits() > 1)) {
      throw new Unsupported(
          "a " + from.bits() + "-bit register for ." + to.name().toLowerCase(Locale.ROOT));
    }
    boolean wide = from.bits() == 64;
    if (to == Type.F64) {
      asm.call(Double.class, "longBitsToDouble", "(J)D");
    } else if (to.bits() < 64) {
      narrow(wide, from.bits(), to);
    }
  }

  private void narrow(boolean wide, int fromBits, Type to) {
    if (wide) {
      asm.convert(L2I);
    }
    if (to == Type.F32) {
      asm.call(Float.class, "intBitsToFloat", "(I)F");
    } else if (to.bits() <= 16) {
      normalise(to, fromBits <= to.bits());
    }
  }

  /** Extends the low 8 or 16 bits of an int; {@code clean} says the upper ones are zero. */
  private void normalise(Type to, boolean clean) {
    if (to.signed()) {
      asm.convert(to.bits() == 8 ? I2B : I2S);
    } else if (!clean) {
      zeroExtend(to.bits());
    }
  }

  private void zeroExtend(int bits) {
    if (bits == 16) {
      asm.convert(I2C);
    } else if (bits < 16) {
      asm.constant((1 << bits) - 1);
      asm.operator(IAND);
    }
  }

  private void pushWhole(long value, Type type) {
    switch (type) {
      case F32 -> asm.constant((float) value);
      case F64 -> asm.constant((double) value);
      case F16, F16X2, BF16, BF16X2 -> asm.constant((int) value);
      default -> pushInteger(value, type);
    }
  }

  private void pushInteger(long value, Type type) {
    switch (type.bits()) {
      case 64 -> asm.constant(value);
      case 32 -> asm.constant((int) value);
      case 16 -> asm.constant(type.signed() ? (short) value : (int) value & 0xffff);
      case 8 -> asm.constant(type.signed() ? (byte) value : (int) value & 0xff);
      default -> asm.constant(value == 0 ? 0 : 1);
    }
  }

  private void pushReal(Operand.Real real, Type type) {
    switch (type) {
      case F64 -> asm.constant(real.value());
      case F32 -> asm.constant(Float.intBitsToFloat(real.singleBits()));
      case F16 -> asm.constant(Float.floatToFloat16((float) real.value()) & 0xffff);
      default -> pushWhole(bits(real, type), type);
    }
  }

  private static long bits(Operand.Real real, Type type) {
    return type.bits() == 64 ? Double.doubleToRawLongBits(real.value()) : real.singleBits();
  }

  /** Pops a value of {@code type} into {@code target}. */
  public void pop(Operand target, Type type) {
    switch (target) {
      case Register register -> popRegister(register, type);
      case Operand.Sink _ -> asm.drop(Asm.kind(type));
      default -> throw new Unsupported("destination " + target);
    }
  }

  private void popRegister(Register register, Type type) {
    TypeKind target = Asm.kind(register.type());
    toBits(type, target);
    switch (target) {
      case INT -> zeroExtendFor(register.type(), type);
      case LONG -> {
        if (Asm.kind(type) == TypeKind.INT || Asm.kind(type) == TypeKind.FLOAT) {
          widen(type.signed());
        }
      }
      case FLOAT -> toFloat(type);
      default -> toDouble(type);
    }
    asm.store(target, slots.applyAsInt(register));
  }

  private void toBits(Type type, TypeKind target) {
    if (type == Type.F32 && target != TypeKind.FLOAT) {
      asm.call(Float.class, "floatToRawIntBits", "(F)I");
    } else if (type == Type.F64 && target != TypeKind.DOUBLE) {
      asm.call(Double.class, "doubleToRawLongBits", "(D)J");
    }
    if (type.bits() == 64 && target == TypeKind.INT) {
      asm.convert(L2I);
    }
  }

  private void zeroExtendFor(Type register, Type value) {
    boolean fits = value.bits() < register.bits() && value.family() == Type.Family.UNSIGNED;
    if (register.bits() > 1 && !fits) {
      zeroExtend(register.bits());
    }
  }

  private void toFloat(Type type) {
    if (type.bits() != 32) {
      throw new Unsupported("a 32-bit register for ." + type.name().toLowerCase(Locale.ROOT));
    }
    if (type != Type.F32) {
      asm.call(Float.class, "intBitsToFloat", "(I)F");
    }
  }

  private void toDouble(Type type) {
    if (type.bits() != 64) {
      throw new Unsupported("a 64-bit register for ." + type.name().toLowerCase(Locale.ROOT));
    }
    if (type != Type.F64) {
      asm.call(Double.class, "longBitsToDouble", "(J)D");
    }
  }

  /** Turns the int on the stack into a long. */
  void widen(boolean signed) {
    asm.convert(I2L);
    if (!signed) {
      asm.constant(0xffff_ffffL);
      asm.operator(LAND);
    }
  }
}
