// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.emit;

import io.outboard.ptx.model.Instruction;
import io.outboard.ptx.model.Operand;
import io.outboard.ptx.model.Type;
import io.outboard.ptx.run.BlockContext;
import java.lang.classfile.TypeKind;
import java.util.List;

/**
 * Writes which texel an instruction names: the object, the layer, and three coordinates, of which
 * those that are missing are 0 (PTX ISA, "Texture Instructions", "Surface Instructions").
 */
final class TexelPlace {
  /** The types of the helpers' parameters for the object and the layer. */
  static final String OBJECT = BlockContext.class.descriptorString() + "JI";

  private static final int AXES = 3;

  private final Values values;

  TexelPlace(Values values) {
    this.values = values;
  }

  /** How many coordinates there are, and whether a layer comes before them. */
  record Geometry(int dimensions, boolean layered) {
    /** The geometry that {@code m} names. */
    static Geometry of(Modifiers m) {
      String name = m.takeOne("1d", "2d", "3d", "a1d", "a2d");
      if (name == null) {
        throw new Unsupported("geometry");
      }
      boolean layered = name.charAt(0) == 'a';
      return new Geometry(name.charAt(layered ? 1 : 0) - '0', layered);
    }
  }

  private static Operand.Texel texel(Instruction i, int index) {
    if (i.operand(index) instanceof Operand.Texel texel) {
      return texel;
    }
    throw new Unsupported("operand " + i.operand(index));
  }

  static List<Operand> elements(Operand operand) {
    return operand instanceof Operand.Vector vector ? vector.elements() : List.of(operand);
  }

  /** Pushes the context and the object of operand {@code index}, which has no coordinates. */
  void pushObject(Operand object) {
    Asm asm = values.asm();
    asm.load(TypeKind.REFERENCE, Slots.CONTEXT);
    values.push(object, Type.U64);
  }

  /** Pushes the context, the object, the layer and three coordinates of a type. */
  void push(Instruction i, int index, Geometry geometry, Type type) {
    Operand.Texel texel = texel(i, index);
    List<Operand> given = elements(texel.place());
    int first = geometry.layered ? 1 : 0;
    if (given.size() < first + geometry.dimensions) {
      throw new Unsupported("a place of " + given.size());
    }
    pushObject(texel.object());
    values.push(geometry.layered ? given.getFirst() : new Operand.Whole(0), Type.S32);
    for (int axis = 0; axis < AXES; axis++) {
      boolean there = axis < geometry.dimensions;
      values.push(there ? given.get(first + axis) : new Operand.Whole(0), type);
    }
  }
}
