// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.library;

import java.util.BitSet;
import java.util.Set;
import java.util.function.IntFunction;

/** The calls of a library that a session offers, by their numbers. */
public final class OfferedCalls {
  private OfferedCalls() {}

  /**
   * The calls without some of them.
   *
   * @param name tells the name of a call, null where there is none of a number
   */
  public static BitSet without(BitSet calls, IntFunction<String> name, Set<String> names) {
    BitSet left = (BitSet) calls.clone();
    calls.stream()
        .filter(number -> name.apply(number) != null && names.contains(name.apply(number)))
        .forEach(left::clear);
    return left;
  }
}
