// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.emit;

import io.outboard.ptx.host.Space;
import io.outboard.ptx.math.Fragment;
import io.outboard.ptx.model.Instruction;
import io.outboard.ptx.model.Operand;
import io.outboard.ptx.model.Type;
import io.outboard.ptx.run.BlockContext;
import io.outboard.ptx.run.MatrixMemory;
import java.lang.classfile.TypeKind;
import java.util.List;

/**
 * Loads and stores of matrix fragments (PTX ISA, "wmma.load", "wmma.store"): each lane moves what
 * it holds of the matrix, and so waits for nobody. Matrices are 16 by 16.
 */
public final class MatrixEmitter {
  private static final int WIDTH = 16;
  private static final String ACCESS = BlockContext.class.descriptorString() + "IJIII";

  private final Values values;
  private final Asm asm;

  MatrixEmitter(Values values) {
    this.values = values;
    this.asm = values.asm();
  }

  /** Writes {@code i}; returns false where it is none of these. */
  boolean emit(Instruction i, Modifiers m) {
    if (!i.root().equals("wmma") || i.has("mma")) {
      return false;
    }
    boolean load = m.take("load");
    if (!load && !m.take("store")) {
      throw new Unsupported("operation");
    }
    m.ignore("sync", "aligned");
    String matrix = m.takeOne("a", "b", "c", "d");
    boolean columns = layout(m);
    shape(m);
    int base = base(i.operand(load ? 1 : 0), m);
    int stride = stride(i);
    Fragment fragment = fragment(matrix, m.type());
    int code = fragment.code(columns);
    List<Operand> registers = elements(i.operand(load ? 0 : 1), fragment);
    for (int k = 0; k < registers.size(); k++) {
      push(base, stride, k, code);
      if (load) {
        asm.call(MatrixMemory.class, "load", "(" + ACCESS + ")I");
        values.pop(registers.get(k), Type.B32);
      } else {
        values.push(registers.get(k), Type.B32);
        asm.call(MatrixMemory.class, "store", "(" + ACCESS + "I)V");
      }
    }
    return true;
  }

  /** Takes the layout that {@code m} names; whether it goes by columns. */
  static boolean layout(Modifiers m) {
    String layout = m.takeOne("row", "col");
    if (layout == null) {
      throw new Unsupported("layout");
    }
    return layout.equals("col");
  }

  public static void shape(Modifiers m) {
    if (!m.take("m16n16k16")) {
      throw new Unsupported("shape");
    }
  }

  /** The fragment of a matrix whose elements have a type. */
  public static Fragment fragment(String matrix, Type type) {
    boolean factor = matrix != null && (matrix.equals("a") || matrix.equals("b"));
    if (matrix == null || (type != Type.F16 && (factor || type != Type.F32))) {
      throw new Unsupported("elements");
    }
    if (factor) {
      return matrix.equals("a") ? Fragment.LEFT : Fragment.RIGHT;
    }
    return type == Type.F16 ? Fragment.SUM_OF_HALVES : Fragment.SUM;
  }

  /** The registers of a fragment. */
  public static List<Operand> elements(Operand operand, Fragment fragment) {
    List<Operand> elements = TexelPlace.elements(operand);
    if (elements.size() != fragment.registers()) {
      throw new Unsupported("a fragment of " + elements.size());
    }
    return elements;
  }

  /** The generic address of the matrix, in a local variable. */
  private int base(Operand operand, Modifiers m) {
    if (!(operand instanceof Operand.Address address)) {
      throw new Unsupported("operand " + operand);
    }
    Space space = MemoryEmitter.space(m, address);
    if (space != Space.GENERIC && space != Space.GLOBAL && space != Space.SHARED) {
      throw new Unsupported("state space");
    }
    int base = asm.temporary(TypeKind.LONG);
    values.pushAddress(address);
    asm.constant(space == Space.GENERIC ? 0L : GenericAddress.window(space));
    asm.operator(java.lang.classfile.Opcode.LADD);
    asm.store(TypeKind.LONG, base);
    return base;
  }

  /** Elements from row to row, or column to column, in a local variable. */
  private int stride(Instruction i) {
    int stride = asm.temporary(TypeKind.INT);
    values.push(i.count() > 2 ? i.operand(2) : new Operand.Whole(WIDTH), Type.B32);
    asm.store(TypeKind.INT, stride);
    return stride;
  }

  private void push(int base, int stride, int register, int code) {
    asm.load(TypeKind.REFERENCE, Slots.CONTEXT);
    asm.load(TypeKind.INT, Slots.THREAD);
    asm.load(TypeKind.LONG, base);
    asm.load(TypeKind.INT, stride);
    asm.constant(register);
    asm.constant(code);
  }
}
