// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.flow;

import static io.outboard.ptx.run.Cut.Operation.*;

import io.outboard.ptx.emit.MatrixEmitter;
import io.outboard.ptx.emit.Modifiers;
import io.outboard.ptx.emit.Unsupported;
import io.outboard.ptx.math.Fragment;
import io.outboard.ptx.model.Instruction;
import io.outboard.ptx.model.Operand;
import io.outboard.ptx.model.Type;
import io.outboard.ptx.run.Cut;
import java.util.ArrayList;
import java.util.List;

/**
 * A waiting instruction taken apart: its work, the values that it leaves and those that it finds.
 */
public final class CutPlan {
  /** A value that a thread leaves in, or finds in, slot {@code slot} of its mailbox. */
  public record Item(Operand operand, Type type, int slot) {}

  private final Instruction instruction;
  private final Modifiers modifiers;
  private final List<Item> deposits = new ArrayList<>();
  private final List<Item> results = new ArrayList<>();
  private Cut.Operation operation;
  private boolean masked = true;

  private CutPlan(Instruction instruction) {
    this.instruction = instruction;
    this.modifiers = new Modifiers(instruction);
  }

  /** Whether a thread waits for others at {@code i}. */
  public static boolean waits(Instruction i) {
    return switch (i.root()) {
      case "bar", "barrier", "shfl", "vote", "match", "redux", "activemask", "elect" -> true;
      case "wmma" -> i.has("mma");
      default -> false;
    };
  }

  /** Takes {@code i} apart; throws {@link Unsupported}. */
  public static CutPlan of(Instruction i) {
    CutPlan plan = new CutPlan(i);
    plan.analyse();
    plan.modifiers.done();
    return plan;
  }

  Cut.Operation operation() {
    return operation;
  }

  boolean masked() {
    return masked;
  }

  public List<Item> deposits() {
    return deposits;
  }

  public List<Item> results() {
    return results;
  }

  private void analyse() {
    switch (instruction.root()) {
      case "bar", "barrier" -> barrier();
      case "shfl" -> shuffle();
      case "vote" -> vote();
      case "match" -> match();
      case "redux" -> reduce();
      case "elect" -> elect();
      case "wmma" -> multiply();
      default -> {
        operation = ACTIVE_MASK;
        masked = false;
        result(modifiers.type());
      }
    }
  }

  private void leave(Operand operand, Type type, int slot) {
    deposits.add(new Item(operand, type, slot));
  }

  /** Leaves operand {@code index}, or zero where it is absent. */
  private void leave(int index, Type type, int slot) {
    boolean there = index < instruction.count();
    leave(there ? instruction.operand(index) : new Operand.Whole(0), type, slot);
  }

  private void result(Type type) {
    if (instruction.operand(0) instanceof Operand.Pair pair) {
      results.add(new Item(pair.first(), type, Cut.RESULT));
      results.add(new Item(pair.second(), Type.PRED, Cut.PREDICATE));
    } else {
      results.add(new Item(instruction.operand(0), type, Cut.RESULT));
    }
  }

  private void barrier() {
    modifiers.ignore("aligned", "cta");
    if (modifiers.take("warp")) {
      modifiers.take("sync");
      operation = WARP_SYNC;
      leave(0, Type.B32, Cut.MASK);
      return;
    }
    masked = false;
    if (modifiers.take("red")) {
      barrierReduction();
      return;
    }
    operation = modifiers.take("arrive") ? BARRIER_ARRIVE : BARRIER;
    modifiers.take("sync");
    if (operation == BARRIER
        && instruction.count() == 1
        && new Operand.Whole(0).equals(instruction.operand(0))) {
      operation = BARRIER_OF_ALL;
      return;
    }
    leave(0, Type.U32, Cut.A);
    leave(1, Type.U32, Cut.B);
    leave(new Operand.Whole(0), Type.U32, Cut.C);
  }

  private void barrierReduction() {
    String name = modifiers.takeOne("popc", "and", "or");
    operation = "popc".equals(name) ? BARRIER_COUNT : "and".equals(name) ? BARRIER_AND : BARRIER_OR;
    boolean counted = instruction.count() == 4;
    leave(1, Type.U32, Cut.A);
    leave(counted ? instruction.operand(2) : new Operand.Whole(0), Type.U32, Cut.B);
    leave(instruction.count() - 1, Type.PRED, Cut.C);
    result(modifiers.type());
  }

  /**
   * Takes {@code .sync} and leaves the mask, the last operand; without it lanes come as they do.
   */
  private void mask() {
    masked = modifiers.take("sync");
    if (masked) {
      leave(instruction.count() - 1, Type.B32, Cut.MASK);
    }
  }

  private void shuffle() {
    mask();
    String mode = modifiers.takeOne("up", "down", "bfly", "idx");
    if (mode == null) {
      throw new Unsupported("mode");
    }
    operation =
        switch (mode) {
          case "up" -> SHUFFLE_UP;
          case "down" -> SHUFFLE_DOWN;
          case "bfly" -> SHUFFLE_XOR;
          default -> SHUFFLE_INDEX;
        };
    Type type = modifiers.type();
    leave(1, type.bits() == 32 ? Type.B32 : type, Cut.A);
    leave(2, Type.U32, Cut.B);
    leave(3, Type.U32, Cut.C);
    result(Type.B32);
  }

  private void vote() {
    mask();
    String mode = modifiers.takeOne("all", "any", "uni", "ballot");
    if (mode == null) {
      throw new Unsupported("mode");
    }
    operation =
        switch (mode) {
          case "all" -> VOTE_ALL;
          case "any" -> VOTE_ANY;
          case "uni" -> VOTE_UNIFORM;
          default -> BALLOT;
        };
    leave(1, Type.PRED, Cut.A);
    result(modifiers.type());
  }

  private void match() {
    mask();
    operation = modifiers.take("any") ? MATCH_ANY : MATCH_ALL;
    modifiers.take("all");
    if (modifiers.type().bits() == 64) {
      leave(1, Type.B64, Cut.A);
    } else {
      leave(1, Type.B32, Cut.A);
      leave(new Operand.Whole(0), Type.B32, Cut.A_HIGH);
    }
    result(Type.B32);
  }

  private void reduce() {
    mask();
    String name = modifiers.takeOne("add", "min", "max", "and", "or", "xor");
    if (name == null) {
      throw new Unsupported("operation");
    }
    Type type = modifiers.type();
    if (!type.integral()) {
      throw new Unsupported("type");
    }
    operation =
        switch (name) {
          case "add" -> ADD;
          case "min" -> type.signed() ? MIN : MIN_UNSIGNED;
          case "max" -> type.signed() ? MAX : MAX_UNSIGNED;
          case "and" -> AND;
          case "or" -> OR;
          default -> XOR;
        };
    leave(1, Type.B32, Cut.A);
    result(Type.B32);
  }

  /** All lanes of the warp take part. */
  private void multiply() {
    modifiers.take("mma");
    modifiers.ignore("sync", "aligned");
    layout();
    layout();
    MatrixEmitter.shape(modifiers);
    Fragment result = MatrixEmitter.fragment("d", modifiers.type());
    Fragment addend = MatrixEmitter.fragment("c", modifiers.type());
    leave(new Operand.Whole(-1), Type.B32, Cut.MASK);
    leave(1, Fragment.LEFT, Cut.MATRIX_LEFT);
    leave(2, Fragment.RIGHT, Cut.MATRIX_RIGHT);
    leave(3, addend, Cut.MATRIX_SUM);
    int slot = Cut.MATRIX_SUM;
    for (Operand target : MatrixEmitter.elements(instruction.operand(0), result)) {
      results.add(new Item(target, Type.B32, slot++));
    }
    operation =
        addend.halves()
            ? result.halves() ? MATRIX_OF_HALVES : MATRIX_FROM_HALVES
            : result.halves() ? MATRIX_TO_HALVES : MATRIX;
  }

  /** Takes a layout, of which fragments do not depend: it is that of the matrix in memory. */
  private void layout() {
    String layout = modifiers.next();
    if (!"row".equals(layout) && !"col".equals(layout)) {
      throw new Unsupported("layout");
    }
  }

  private void leave(int index, Fragment fragment, int first) {
    int slot = first;
    for (Operand register : MatrixEmitter.elements(instruction.operand(index), fragment)) {
      leave(register, Type.B32, slot++);
    }
  }

  private void elect() {
    mask();
    operation = ELECT;
    result(Type.B32);
  }
}
