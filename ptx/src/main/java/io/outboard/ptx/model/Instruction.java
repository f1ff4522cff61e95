// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.model;

import java.util.ArrayList;
import java.util.List;

/**
 * One instruction as written.
 *
 * @param line the line it starts in, from one
 * @param column the column it starts in, from one
 * @param guard the predicate, or null
 * @param negated whether the instruction runs where the predicate is false
 * @param parts the opcode and its modifiers, without dots
 * @param operands in the order of the text
 */
public record Instruction(
    int line,
    int column,
    Register guard,
    boolean negated,
    List<String> parts,
    List<Operand> operands) {
  /** The opcode without modifiers. */
  public String root() {
    return parts.getFirst();
  }

  /** The opcode with its modifiers. */
  public String opcode() {
    return String.join(".", parts);
  }

  /** Whether {@code modifier} is present. */
  public boolean has(String modifier) {
    for (int i = 1; i < parts.size(); i++) {
      if (parts.get(i).equals(modifier)) {
        return true;
      }
    }
    return false;
  }

  public Operand operand(int index) {
    return operands.get(index);
  }

  public int count() {
    return operands.size();
  }

  /** The same without its predicate. */
  public Instruction unguarded() {
    return new Instruction(line, column, null, false, parts, operands);
  }

  /** The same under {@code predicate}. */
  public Instruction guarded(Register predicate) {
    return new Instruction(line, column, predicate, false, parts, operands);
  }

  /** The same with another operand {@code index}. */
  public Instruction withOperand(int index, Operand operand) {
    List<Operand> changed = new ArrayList<>(operands);
    changed.set(index, operand);
    return new Instruction(line, column, guard, negated, parts, changed);
  }
}
