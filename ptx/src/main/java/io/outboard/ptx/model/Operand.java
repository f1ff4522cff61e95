// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.model;

import java.util.List;

/** An operand of an instruction. */
public sealed interface Operand {
  /** An integer constant; unsigned 64-bit constants wrap around. */
  record Whole(long value) implements Operand {}

  /** A floating-point constant. A {@code 0f} constant is single: its bits are kept as they are. */
  record Real(double value, int singleBits, boolean single) implements Operand {}

  /** The address of a variable, plus an offset. */
  record Symbol(Variable variable, long offset) implements Operand {}

  /** A label or a function, found when the whole function has been read. */
  record Name(String name) implements Operand {}

  /** A memory operand: a register, a {@link Symbol}, or a constant, plus an offset. */
  record Address(Operand base, long offset) implements Operand {}

  /** {@code [object, place]}: a place in a texture or surface. */
  record Texel(Operand object, Operand place) implements Operand {}

  /** {@code [texture, sampler, place]}: a place in a texture that is read through a sampler. */
  record Sampled(Operand texture, Operand sampler, Operand place) implements Operand {}

  /** {@code a.b0}: some bytes of a register, as video instructions select them. */
  record Part(Register register, String selector) implements Operand {}

  /** {@code {a, b}}. */
  record Vector(List<Operand> elements) implements Operand {}

  /** {@code (a, b)}: the arguments or results of a call. */
  record Group(List<Operand> elements) implements Operand {}

  /** {@code p|q}. */
  record Pair(Operand first, Operand second) implements Operand {}

  /** {@code !p}. */
  record Not(Operand operand) implements Operand {}

  /** {@code _}. */
  record Sink() implements Operand {}

  /** An operand with a file of its own: {@link Register} and {@link Special}. */
  non-sealed interface Leaf extends Operand {}
}
