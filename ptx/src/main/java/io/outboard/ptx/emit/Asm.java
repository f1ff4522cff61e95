// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.emit;

import io.outboard.ptx.model.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes bytecode and counts its bytes, from above. Without a {@link CodeBuilder} it only counts:
 * that is how instructions are checked and methods are cut to size before any class is made.
 */
public final class Asm {
  private static final Map<Class<?>, ClassDesc> CLASSES = new HashMap<>();
  private static final Map<String, MethodTypeDesc> METHODS = new HashMap<>();

  private final CodeBuilder out;
  private int bytes;

  public Asm(CodeBuilder out) {
    this.out = out;
  }

  /** How many bytes were written, at most. */
  public int bytes() {
    return bytes;
  }

  /** How a value of {@code type} lies on the operand stack. */
  public static TypeKind kind(Type type) {
    return switch (type) {
      case F32 -> TypeKind.FLOAT;
      case F64 -> TypeKind.DOUBLE;
      default -> type.bits() == 64 ? TypeKind.LONG : TypeKind.INT;
    };
  }

  /** The descriptor letter of {@code type}. */
  static char letter(Type type) {
    return switch (kind(type)) {
      case FLOAT -> 'F';
      case DOUBLE -> 'D';
      case LONG -> 'J';
      default -> 'I';
    };
  }

  public static ClassDesc describe(Class<?> type) {
    synchronized (CLASSES) {
      return CLASSES.computeIfAbsent(type, t -> ClassDesc.ofDescriptor(t.descriptorString()));
    }
  }

  private static MethodTypeDesc method(String descriptor) {
    synchronized (METHODS) {
      return METHODS.computeIfAbsent(descriptor, MethodTypeDesc::ofDescriptor);
    }
  }

  public void operator(Opcode opcode) {
    bytes++;
    if (out != null) {
      out.with(OperatorInstruction.of(opcode));
    }
  }

  public void convert(Opcode opcode) {
    bytes++;
    if (out != null) {
      out.with(ConvertInstruction.of(opcode));
    }
  }

  public void load(TypeKind kind, int slot) {
    bytes += slotBytes(slot);
    if (out != null) {
      out.loadLocal(kind, slot);
    }
  }

  public void store(TypeKind kind, int slot) {
    bytes += slotBytes(slot);
    if (out != null) {
      out.storeLocal(kind, slot);
    }
  }

  public void increment(int slot, int by) {
    bytes += 6;
    if (out != null) {
      out.iinc(slot, by);
    }
  }

  private static int slotBytes(int slot) {
    return slot < 4 ? 1 : slot < 256 ? 2 : 4;
  }

  public void constant(int value) {
    bytes += 3;
    if (out != null) {
      out.loadConstant(value);
    }
  }

  public void constant(long value) {
    bytes += 3;
    if (out != null) {
      out.loadConstant(value);
    }
  }

  public void constant(float value) {
    bytes += 3;
    if (out != null) {
      out.loadConstant(value);
    }
  }

  public void constant(double value) {
    bytes += 3;
    if (out != null) {
      out.loadConstant(value);
    }
  }

  public void call(Class<?> owner, String name, String descriptor) {
    bytes += 3;
    if (out != null) {
      out.invokestatic(describe(owner), name, method(descriptor));
    }
  }

  public void field(Class<?> owner, String name, Class<?> type) {
    bytes += 3;
    if (out != null) {
      out.getfield(describe(owner), name, describe(type));
    }
  }

  public void putField(Class<?> owner, String name, Class<?> type) {
    bytes += 3;
    if (out != null) {
      out.putfield(describe(owner), name, describe(type));
    }
  }

  public void arrayLoad(TypeKind kind) {
    bytes++;
    if (out != null) {
      out.arrayLoad(kind);
    }
  }

  public void arrayStore(TypeKind kind) {
    bytes++;
    if (out != null) {
      out.arrayStore(kind);
    }
  }

  void drop(TypeKind kind) {
    bytes++;
    if (out != null) {
      if (kind.slotSize() == 2) {
        out.pop2();
      } else {
        out.pop();
      }
    }
  }

  Label label() {
    return out == null ? null : out.newLabel();
  }

  public void bind(Label label) {
    if (out != null) {
      out.labelBinding(label);
    }
  }

  public void branch(Opcode opcode, Label target) {
    bytes += 3;
    if (out != null) {
      out.branch(opcode, target);
    }
  }

  /** Jumps by the int on the stack. */
  public void select(Label otherwise, List<SwitchCase> cases) {
    bytes += 12 + 8 * cases.size();
    if (out != null) {
      out.lookupswitch(otherwise, cases);
    }
  }

  /** A local variable of its own. */
  public int temporary(TypeKind kind) {
    return out == null ? 300 : out.allocateLocal(kind);
  }
}
