// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.emit;

import io.outboard.ptx.model.Instruction;
import io.outboard.ptx.model.Operand;
import io.outboard.ptx.model.Type;
import io.outboard.ptx.run.BlockContext;
import io.outboard.ptx.run.TextureQuery;
import io.outboard.ptx.run.TextureUnit;
import java.lang.classfile.TypeKind;
import java.util.List;

/**
 * Reads of textures through objects, whose values are in registers (PTX ISA, "Texture
 * Instructions"). The values that are read are bits, as on the hardware: the type of the result
 * converts nothing.
 */
final class TextureEmitter {
  private static final String INTEGERS = TexelPlace.OBJECT + "III";
  private static final String REALS = TexelPlace.OBJECT + "FFF";
  private static final int LANES = 4;

  private final Values values;
  private final Asm asm;
  private final TexelPlace places;

  TextureEmitter(Values values) {
    this.values = values;
    this.asm = values.asm();
    this.places = new TexelPlace(values);
  }

  /** Writes {@code i}; returns false where it is none of these. */
  boolean emit(Instruction i, Modifiers m) {
    switch (i.root()) {
      case "tex" -> read(i, m);
      case "tld4" -> gather(i, m);
      case "txq" -> query(i, m, "texture");
      case "suq" -> query(i, m, "surface");
      default -> {
        return false;
      }
    }
    return true;
  }

  private void read(Instruction i, Modifiers m) {
    String levels = m.takeOne("base", "level", "grad");
    TexelPlace.Geometry geometry = TexelPlace.Geometry.of(m);
    results(i, m);
    Type coordinates = m.type();
    if (coordinates == Type.S32) {
      fetch(i, levels, geometry);
    } else if (coordinates == Type.F32) {
      sample(i, levels == null ? "base" : levels, geometry);
    } else {
      throw new Unsupported("coordinates");
    }
    popTexel(i.operand(0));
  }

  /** Checks that there are four results of 32 bits. */
  private static void results(Instruction i, Modifiers m) {
    boolean four = m.take("v4") && TexelPlace.elements(i.operand(0)).size() == LANES;
    if (!four || m.type().bits() != Integer.SIZE) {
      throw new Unsupported("results");
    }
  }

  private void fetch(Instruction i, String levels, TexelPlace.Geometry geometry) {
    places.push(i, 1, geometry, Type.S32);
    if ("grad".equals(levels)) {
      throw new Unsupported("coordinates");
    }
    values.push("level".equals(levels) ? i.operand(2) : new Operand.Whole(0), Type.S32);
    asm.call(TextureUnit.class, "fetch", "(" + INTEGERS + "I)V");
  }

  private void sample(Instruction i, String levels, TexelPlace.Geometry geometry) {
    places.push(i, 1, geometry, Type.F32);
    switch (levels) {
      case "level" -> {
        values.push(i.operand(2), Type.F32);
        asm.call(TextureUnit.class, "level", "(" + REALS + "F)V");
      }
      case "grad" -> {
        pushSlope(i.operand(2), geometry);
        pushSlope(i.operand(3), geometry);
        asm.call(TextureUnit.class, "slope", "(" + REALS + "FFFFFF)V");
      }
      default -> asm.call(TextureUnit.class, "base", "(" + REALS + ")V");
    }
  }

  private void pushSlope(Operand slope, TexelPlace.Geometry geometry) {
    List<Operand> given = TexelPlace.elements(slope);
    for (int axis = 0; axis < 3; axis++) {
      values.push(axis < geometry.dimensions() ? given.get(axis) : new Operand.Whole(0), Type.F32);
    }
  }

  private void gather(Instruction i, Modifiers m) {
    String channel = m.takeOne("r", "g", "b", "a");
    TexelPlace.Geometry geometry = TexelPlace.Geometry.of(m);
    results(i, m);
    if (channel == null || geometry.dimensions() != 2 || m.type() != Type.F32) {
      throw new Unsupported("geometry");
    }
    places.push(i, 1, geometry, Type.F32);
    asm.constant("rgba".indexOf(channel));
    asm.call(TextureUnit.class, "gather", "(" + REALS + "I)V");
    popTexel(i.operand(0));
  }

  private void popTexel(Operand target) {
    List<Operand> targets = TexelPlace.elements(target);
    for (int lane = 0; lane < LANES; lane++) {
      asm.load(TypeKind.REFERENCE, Slots.CONTEXT);
      asm.field(BlockContext.class, "textures", TextureUnit.class);
      asm.field(TextureUnit.class, "value" + lane, int.class);
      values.pop(targets.get(lane), Type.B32);
    }
  }

  private void query(Instruction i, Modifiers m, String kind) {
    boolean level = m.take("level");
    String asked = m.takeOne(TextureQuery.names());
    if (asked == null || m.type() != Type.B32) {
      throw new Unsupported("query");
    }
    if (!(i.operand(1) instanceof Operand.Address(Operand object, long offset)) || offset != 0) {
      throw new Unsupported("operand " + i.operand(1));
    }
    places.pushObject(object);
    asm.constant(TextureQuery.code(asked));
    values.push(level ? i.operand(2) : new Operand.Whole(0), Type.S32);
    String context = BlockContext.class.descriptorString();
    asm.call(TextureQuery.class, kind, "(" + context + "JII)I");
    values.pop(i.operand(0), Type.B32);
  }
}
