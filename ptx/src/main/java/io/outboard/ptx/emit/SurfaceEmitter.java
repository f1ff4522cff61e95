// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.emit;

import io.outboard.ptx.model.Instruction;
import io.outboard.ptx.model.Operand;
import io.outboard.ptx.model.Type;
import io.outboard.ptx.run.BlockContext;
import io.outboard.ptx.run.Surfaces;
import java.lang.classfile.TypeKind;
import java.util.List;

/**
 * Loads and stores of surfaces through objects, whose values are in registers (PTX ISA, "Surface
 * Instructions"); the first coordinate counts bytes.
 */
final class SurfaceEmitter {
  private static final String CONTEXT = BlockContext.class.descriptorString();

  private final Values values;
  private final Asm asm;
  private final TexelPlace places;

  SurfaceEmitter(Values values) {
    this.values = values;
    this.asm = values.asm();
    this.places = new TexelPlace(values);
  }

  /** Writes {@code i}; returns false where it is none of these. */
  boolean emit(Instruction i, Modifiers m) {
    switch (i.root()) {
      case "suld" -> load(i, m);
      case "sust" -> store(i, m);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void load(Instruction i, Modifiers m) {
    Access access = Access.of(m);
    List<Operand> targets = access.elements(i.operand(0));
    int base = place(i, 1, access);
    for (int k = 0; k < targets.size(); k++) {
      pushElement(base, k, access.type);
      String bits = Integer.toString(access.type.bits());
      asm.call(Surfaces.class, "load" + bits, "(" + CONTEXT + "JI)" + Asm.letter(access.type));
      values.pop(targets.get(k), access.type);
    }
  }

  private void store(Instruction i, Modifiers m) {
    Access access = Access.of(m);
    List<Operand> sources = access.elements(i.operand(1));
    int base = place(i, 0, access);
    for (int k = 0; k < sources.size(); k++) {
      pushElement(base, k, access.type);
      values.push(sources.get(k), access.type);
      String bits = Integer.toString(access.type.bits());
      asm.call(
          Surfaces.class, "store" + bits, "(" + CONTEXT + "JI" + Asm.letter(access.type) + ")V");
    }
  }

  /** Where the first element lies, in a local variable: 0 where it lies outside. */
  private int place(Instruction i, int operand, Access access) {
    int base = asm.temporary(TypeKind.LONG);
    places.push(i, operand, access.geometry, Type.S32);
    asm.constant(access.bytes());
    asm.constant(access.outside);
    asm.call(Surfaces.class, "place", "(" + TexelPlace.OBJECT + "IIIII)J");
    asm.store(TypeKind.LONG, base);
    return base;
  }

  private void pushElement(int base, int index, Type type) {
    asm.load(TypeKind.REFERENCE, Slots.CONTEXT);
    asm.load(TypeKind.LONG, base);
    asm.constant(index * type.bytes());
  }

  /** The modifiers of an access. */
  private record Access(TexelPlace.Geometry geometry, int lanes, Type type, int outside) {
    static Access of(Modifiers m) {
      if (!m.take("b")) {
        throw new Unsupported("formatted access");
      }
      m.ignore("ca", "cg", "cs", "cv", "wb", "wt");
      TexelPlace.Geometry geometry = TexelPlace.Geometry.of(m);
      String vector = m.takeOne("v2", "v4");
      String outside = m.takeOne("trap", "clamp", "zero");
      return new Access(
          geometry,
          vector == null ? 1 : vector.charAt(1) - '0',
          m.type(),
          Surfaces.outside(outside == null ? "trap" : outside));
    }

    int bytes() {
      return lanes * type.bytes();
    }

    List<Operand> elements(Operand operand) {
      List<Operand> elements = TexelPlace.elements(operand);
      if (elements.size() != lanes || type.family() != Type.Family.BITS) {
        throw new Unsupported("a vector of " + elements.size());
      }
      return elements;
    }
  }
}
