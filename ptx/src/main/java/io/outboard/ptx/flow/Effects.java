// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.flow;

import io.outboard.ptx.model.Instruction;
import io.outboard.ptx.model.Operand;
import io.outboard.ptx.model.Register;
import java.util.function.Consumer;

/** Which registers an instruction reads and writes. */
public final class Effects {
  private final Register carry;

  public Effects(Register carry) {
    this.carry = carry;
  }

  private static boolean writesFirst(Instruction i) {
    return switch (i.root()) {
      case "st",
          "sust",
          "red",
          "bra",
          "brx",
          "membar",
          "fence",
          "ret",
          "exit",
          "trap",
          "nanosleep",
          "prefetch",
          "prefetchu",
          "discard",
          "applypriority",
          "pmevent" ->
          false;
      case "wmma" -> !i.has("store");
      case "bar", "barrier" -> i.has("red");
      case "call" -> i.operand(0) instanceof Operand.Group;
      default -> i.count() > 0;
    };
  }

  /** Calls {@code each} for every register that {@code i} writes. */
  void defined(Instruction i, Consumer<Register> each) {
    if (writesFirst(i)) {
      visit(i.operand(0), each);
    }
    if (i.has("cc")) {
      each.accept(carry);
    }
  }

  /** Calls {@code each} for every register that {@code i} reads. */
  void used(Instruction i, Consumer<Register> each) {
    if (i.guard() != null) {
      each.accept(i.guard());
    }
    for (int k = writesFirst(i) ? 1 : 0; k < i.count(); k++) {
      visit(i.operand(k), each);
    }
    if (i.root().equals("addc") || i.root().equals("subc") || i.root().equals("madc")) {
      each.accept(carry);
    }
  }

  private static void visit(Operand operand, Consumer<Register> each) {
    switch (operand) {
      case Register register -> each.accept(register);
      case Operand.Address address -> visit(address.base(), each);
      case Operand.Texel texel -> {
        visit(texel.object(), each);
        visit(texel.place(), each);
      }
      case Operand.Not not -> visit(not.operand(), each);
      case Operand.Vector vector -> vector.elements().forEach(e -> visit(e, each));
      case Operand.Group group -> group.elements().forEach(e -> visit(e, each));
      case Operand.Pair pair -> {
        visit(pair.first(), each);
        visit(pair.second(), each);
      }
      default -> {}
    }
  }
}
