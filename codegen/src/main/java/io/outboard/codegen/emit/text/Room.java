// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.text;

import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Layout;

/** The checks that numbers of elements which come back are within the room that there was. */
public final class Room {
  private Room() {}

  /**
   * Adds the check of each such number of a function.
   *
   * @param nowhere no pointer, as the language has it
   * @param check its text, into which are formatted: the condition on which it is to hold, the name
   *     of the output that is counted, the number's offset in the reply and its bytes, and the
   *     bytes of an element
   */
  public static void check(Code code, Function function, String nowhere, String check) {
    Layout reply = Layout.reply(function);
    for (Function.Count count : function.counts()) {
      code.add(
          check,
          count.condition(nowhere),
          count.elements().name(),
          reply.offset(count.number()),
          count.number().target().bytes(),
          count.elements().target().bytes());
    }
  }
}
