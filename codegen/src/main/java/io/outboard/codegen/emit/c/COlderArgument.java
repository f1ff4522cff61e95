// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.c;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.model.Direction;
import io.outboard.codegen.model.Member;
import io.outboard.codegen.model.Parameter;
import io.outboard.codegen.model.Parameter.Pointer;
import io.outboard.codegen.model.Parameter.Value;
import io.outboard.codegen.model.Structure;
import io.outboard.codegen.model.Target;
import io.outboard.spec.Scalar;

/**
 * The argument that an older form hands to the newer function for one parameter. Where what the two
 * point to is not the same, the newer function gets a local variable.
 *
 * @param text as the interface has it
 * @param own the parameter of the older form that it names, or null
 * @param newer the parameter that takes it, or null where that is not known
 */
record COlderArgument(CTypes types, String text, Parameter own, Parameter newer) {

  /** The argument in C. */
  String expression() {
    if (differs()) {
      return text + " == NULL ? NULL : &" + local();
    }
    boolean wider =
        own instanceof Value from
            && newer instanceof Value to
            && from.type() == Scalar.INT
            && to.type() == Scalar.LONG;
    return wider ? "(uint32_t)" + text : text;
  }

  /** The local variable that the newer function is given the address of. */
  String local() {
    return text + "_";
  }

  /** Declares the local variable, with what the program hands in. */
  void declare(Code code) {
    if (!differs()) {
      return;
    }
    Pointer pointer = (Pointer) newer;
    boolean scalar = pointer.structure().isEmpty();
    code.add("%s %s = %s;", types.element(pointer), local(), scalar ? "0" : "{0}");
    if (pointer.direction() == Direction.IN) {
      copy(code, local() + ".", text + "->", "(uint32_t)%s");
    }
  }

  /** Whether the program is handed what the local variable then has. */
  boolean comesOut() {
    return differs() && ((Pointer) newer).direction() == Direction.OUT;
  }

  /** Whether that is an address on the device. */
  boolean isAddress() {
    return comesOut() && ((Pointer) newer).address();
  }

  /** Hands it to the program. */
  void narrow(Code code) {
    if (!comesOut()) {
      return;
    }
    if (((Pointer) newer).structure().isPresent()) {
      copy(code, text + "->", local() + ".", "narrow_(%s)");
    } else {
      code.add("if (%1$s != NULL) {\n*%1$s = narrow_(%2$s);\n}", text, local());
    }
  }

  private boolean differs() {
    return own instanceof Pointer mine
        && newer instanceof Pointer theirs
        && !mine.target().equals(theirs.target())
        && (theirs.structure().isPresent() || theirs.target() instanceof Target.Scalars);
  }

  private static Structure structure(Parameter parameter) {
    return ((Pointer) parameter).structure().orElseThrow();
  }

  /** Copies by name the members of the own structure, those of another width converted. */
  private void copy(Code code, String to, String from, String conversion) {
    Structure mine = structure(own);
    Structure theirs = structure(newer);
    code.add("if (%s != NULL) {", text);
    for (Member member : mine.members()) {
      boolean same = types.member(member).equals(types.member(theirs.member(member.name())));
      String value = from + member.name();
      code.add("%s%s = %s;", to, member.name(), same ? value : conversion.formatted(value));
    }
    code.add("}");
  }
}
