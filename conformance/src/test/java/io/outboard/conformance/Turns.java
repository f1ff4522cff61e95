// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import io.outboard.testkit.Amount;
import java.util.List;
import java.util.Set;

/**
 * Which programs run over which communicators. Each build runs each program once, over one
 * communicator after the other, and those that show what a communicator carries over all of them.
 * {@code -Dlong} runs all over all.
 *
 * @param <T> what takes turns
 */
final class Turns<T> {
  private final List<T> all;
  private final Set<String> everywhere;
  private int turn;

  /**
   * Begins with the first.
   *
   * @param everywhere names of programs that all of them run
   */
  Turns(List<T> all, String... everywhere) {
    this.all = List.copyOf(all);
    this.everywhere = Set.of(everywhere);
  }

  /** Those that run the next program. */
  List<T> of(String program) {
    return everywhere.contains(program) ? all : next();
  }

  /** The one whose turn it is; with {@code -Dlong} all. */
  List<T> next() {
    return Amount.isLong() ? all : List.of(all.get(turn++ % all.size()));
  }
}
