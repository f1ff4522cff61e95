// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.model;

import java.util.List;

/**
 * The operands of a call: {@code call (results), callee, (arguments)}.
 *
 * @param results where the results go; empty where none are taken
 * @param callee the name of the function, or the register that points to it
 * @param arguments the values that are passed; may be empty
 */
public record CallOperands(List<Operand> results, Operand callee, List<Operand> arguments) {
  /** Those of {@code call}; throws {@link IndexOutOfBoundsException} where it names no function. */
  public static CallOperands of(Instruction call) {
    int callee = call.operand(0) instanceof Operand.Group ? 1 : 0;
    return new CallOperands(
        elements(call, callee - 1), call.operand(callee), elements(call, callee + 1));
  }

  private static List<Operand> elements(Instruction call, int at) {
    return at >= 0 && at < call.count() && call.operand(at) instanceof Operand.Group group
        ? group.elements()
        : List.of();
  }
}
