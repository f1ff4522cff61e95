// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.emit;

import io.outboard.ptx.host.Space;
import io.outboard.ptx.math.AtomicOperation;
import io.outboard.ptx.model.Instruction;
import io.outboard.ptx.model.Operand;
import io.outboard.ptx.model.Type;
import io.outboard.ptx.run.Atomics;
import io.outboard.ptx.run.BlockContext;
import io.outboard.ptx.run.ByteMemory;
import io.outboard.ptx.run.GenericMemory;
import io.outboard.ptx.run.GlobalMemory;
import io.outboard.ptx.run.LocalMemory;
import java.lang.classfile.TypeKind;
import java.lang.invoke.VarHandle;
import java.util.List;

/**
 * Loads, stores and atomic operations (PTX ISA, "Data Movement" and "Parallel Synchronization").
 */
final class MemoryEmitter {
  private static final String[] ORDER = {
    "weak", "volatile", "relaxed", "acquire", "release", "acq_rel", "mmio"
  };
  private static final String[] HINTS = {
    "cta",
    "cluster",
    "gpu",
    "sys",
    "nc",
    "ca",
    "cg",
    "cs",
    "lu",
    "cv",
    "wb",
    "wt",
    "L2::64B",
    "L2::128B",
    "L2::256B",
    "unified"
  };

  private final Values values;
  private final Asm asm;

  MemoryEmitter(Values values) {
    this.values = values;
    this.asm = values.asm();
  }

  /** Writes {@code i}; returns false where it is none of these. */
  boolean emit(Instruction i, Modifiers m) {
    switch (i.root()) {
      case "ld", "ldu" -> load(i, m);
      case "st" -> store(i, m);
      case "atom" -> atomic(i, m, true);
      case "red" -> atomic(i, m, false);
      default -> {
        return false;
      }
    }
    return true;
  }

  /** The state space that {@code m} names and {@code address} lies in. */
  static Space space(Modifiers m, Operand.Address address) {
    String name =
        m.takeOne(
            "global",
            "shared",
            "shared::cta",
            "local",
            "const",
            "param",
            "param::entry",
            "param::func");
    if (name == null) {
      return Space.GENERIC;
    }
    return switch (name) {
      case "global" -> Space.GLOBAL;
      case "shared", "shared::cta" -> Space.SHARED;
      case "local" -> Space.LOCAL;
      case "const" -> Space.CONST;
      default -> parameterSpace(address);
    };
  }

  /** A call's parameters lie in the thread's local memory, a kernel's in the parameter buffer. */
  private static Space parameterSpace(Operand.Address address) {
    boolean ofCall =
        address.base() instanceof Operand.Symbol symbol && symbol.variable().space() == Space.LOCAL;
    return ofCall ? Space.LOCAL : Space.PARAM;
  }

  private static Operand.Address address(Operand operand) {
    if (operand instanceof Operand.Address address) {
      return address;
    }
    throw new Unsupported("operand " + operand);
  }

  private static String order(Modifiers m) {
    String order = m.takeOne(ORDER);
    m.ignore(HINTS);
    m.ignorePrefix("L1::");
    return order == null ? "weak" : order;
  }

  private static List<Operand> elements(Operand operand, int lanes) {
    List<Operand> elements =
        operand instanceof Operand.Vector vector ? vector.elements() : List.of(operand);
    if (elements.size() != lanes) {
      throw new Unsupported("a vector of " + elements.size());
    }
    return elements;
  }

  private static int lanes(Modifiers m) {
    String vector = m.takeOne("v2", "v4", "v8");
    return vector == null ? 1 : vector.charAt(1) - '0';
  }

  private void load(Instruction i, Modifiers m) {
    Operand.Address address = address(i.operand(1));
    Space space = space(m, address);
    String order = order(m);
    int lanes = lanes(m);
    Type type = m.type();
    List<Operand> targets = elements(i.operand(0), lanes);
    if (lanes == 1) {
      access(space, () -> pushAddress(space, address), "load", type, "");
      values.pop(targets.getFirst(), type);
    } else {
      int base = vectorBase(space, address, lanes * type.bytes());
      for (int k = 0; k < lanes; k++) {
        int offset = k * type.bytes();
        access(space, () -> elementAddress(base, offset), "load", type, "");
        values.pop(targets.get(k), type);
      }
    }
    fence(!order.equals("weak"), "acquireFence");
  }

  private void store(Instruction i, Modifiers m) {
    Operand.Address address = address(i.operand(0));
    Space space = space(m, address);
    String order = order(m);
    int lanes = lanes(m);
    Type type = m.type();
    List<Operand> sources = elements(i.operand(1), lanes);
    fence(!order.equals("weak"), "releaseFence");
    if (lanes == 1) {
      store(space, () -> pushAddress(space, address), type, sources.getFirst());
    } else {
      int base = vectorBase(space, address, lanes * type.bytes());
      for (int k = 0; k < lanes; k++) {
        int offset = k * type.bytes();
        store(space, () -> elementAddress(base, offset), type, sources.get(k));
      }
    }
  }

  private void store(Space space, Runnable address, Type type, Operand source) {
    pushMemory(space);
    address.run();
    values.push(source, memoryType(type));
    callAccess(space, "store", type, Character.toString(Asm.letter(memoryType(type))), "V");
  }

  private void fence(boolean wanted, String name) {
    if (wanted) {
      asm.call(VarHandle.class, name, "()V");
    }
  }

  private void pushAddress(Space space, Operand.Address address) {
    if (space == Space.GENERIC && address.base() instanceof Operand.Symbol symbol) {
      asm.constant(
          GenericAddress.of(symbol.variable().space(), values.address(symbol)) + address.offset());
    } else {
      values.pushAddress(address);
    }
  }

  private int vectorBase(Space space, Operand.Address address, int bytes) {
    int base = asm.temporary(TypeKind.LONG);
    pushAddress(space, address);
    asm.constant(bytes);
    asm.call(BlockContext.class, "aligned", "(JI)J");
    asm.store(TypeKind.LONG, base);
    return base;
  }

  private void elementAddress(int base, int offset) {
    asm.load(TypeKind.LONG, base);
    if (offset != 0) {
      asm.constant((long) offset);
      asm.operator(java.lang.classfile.Opcode.LADD);
    }
  }

  /** Pushes what the helpers of {@code space} want before the address. */
  private void pushMemory(Space space) {
    switch (space) {
      case SHARED -> asm.load(TypeKind.REFERENCE, Slots.SHARED);
      case PARAM -> {
        asm.load(TypeKind.REFERENCE, Slots.CONTEXT);
        asm.field(BlockContext.class, "parameters", byte[].class);
      }
      case LOCAL, GENERIC -> {
        asm.load(TypeKind.REFERENCE, Slots.CONTEXT);
        asm.load(TypeKind.INT, Slots.THREAD);
      }
      default -> asm.load(TypeKind.REFERENCE, Slots.CONTEXT);
    }
  }

  private static String memoryDescriptor(Space space) {
    String context = BlockContext.class.descriptorString();
    return switch (space) {
      case SHARED, PARAM -> "[B";
      case LOCAL, GENERIC -> context + "I";
      default -> context;
    };
  }

  private static Class<?> memoryClass(Space space) {
    return switch (space) {
      case SHARED, PARAM -> ByteMemory.class;
      case LOCAL -> LocalMemory.class;
      case GENERIC -> GenericMemory.class;
      default -> GlobalMemory.class;
    };
  }

  private void access(Space space, Runnable address, String verb, Type type, String arguments) {
    pushMemory(space);
    address.run();
    callAccess(space, verb, type, arguments, Character.toString(Asm.letter(memoryType(type))));
    extend(type);
  }

  private static Type memoryType(Type type) {
    return type.half() ? type.bits() == 16 ? Type.B16 : Type.B32 : type;
  }

  private void callAccess(Space space, String verb, Type type, String arguments, String result) {
    String width =
        type == Type.F32 ? "Float" : type == Type.F64 ? "Double" : Integer.toString(type.bits());
    asm.call(
        memoryClass(space),
        verb + width,
        "(" + memoryDescriptor(space) + "J" + arguments + ")" + result);
  }

  /** Loads of 8 and 16 bits give a signed int. */
  private void extend(Type type) {
    if (type.bits() == 8 && !type.signed()) {
      asm.constant(0xff);
      asm.operator(java.lang.classfile.Opcode.IAND);
    } else if (type.bits() == 16 && !type.signed()) {
      asm.convert(java.lang.classfile.Opcode.I2C);
    }
  }

  private void atomic(Instruction i, Modifiers m, boolean hasResult) {
    int first = hasResult ? 1 : 0;
    Operand.Address address = address(i.operand(first));
    Space space = space(m, address);
    order(m);
    m.ignore("noftz");
    String operation = m.takeOne(AtomicOperation.names());
    if (operation == null) {
      throw new Unsupported("operation");
    }
    if (lanes(m) != 1) {
      throw new Unsupported("vector");
    }
    Type type = m.type();
    pushAtomicMemory(space);
    pushAtomicAddress(space, address);
    Type bits = memoryType(type) == type ? integerType(type) : memoryType(type);
    for (int k = first + 1; k < i.count(); k++) {
      values.push(i.operand(k), bits);
    }
    callAtomic(space, operation, type, bits);
    if (hasResult) {
      values.pop(i.operand(0), bits);
    } else {
      asm.drop(Asm.kind(bits));
    }
  }

  private static Type integerType(Type type) {
    return switch (type) {
      case F32 -> Type.B32;
      case F64 -> Type.B64;
      default -> type;
    };
  }

  private void pushAtomicMemory(Space space) {
    pushMemory(space == Space.SHARED || space == Space.GLOBAL ? space : Space.GENERIC);
  }

  private void pushAtomicAddress(Space space, Operand.Address address) {
    if (space == Space.LOCAL || space == Space.PARAM) {
      throw new Unsupported("state space");
    }
    pushAddress(space, address);
  }

  private void callAtomic(Space space, String operation, Type type, Type bits) {
    String letter = Character.toString(Asm.letter(bits));
    String memory = memoryDescriptor(space);
    if (operation.equals("cas")) {
      asm.call(
          Atomics.class, "swap" + bits.bits(), "(" + memory + "J" + letter + letter + ")" + letter);
      return;
    }
    asm.constant(AtomicOperation.code(operation, type));
    asm.call(Atomics.class, "update" + bits.bits(), "(" + memory + "J" + letter + "I)" + letter);
  }
}
