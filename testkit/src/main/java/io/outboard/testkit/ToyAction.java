// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import static io.outboard.testkit.ToyKinds.BUFFER;
import static io.outboard.testkit.ToyKinds.NODE;

import io.outboard.spec.Handle;
import io.outboard.spec.Struct;
import io.outboard.spec.Union;

/**
 * A union by tag.
 *
 * @param kind 1 fills, 2 or 3 moves, anything else is plain bytes
 * @param what the union
 */
@Struct
public record ToyAction(int kind, @Union(tag = "kind", size = 40) What what) {
  /** The members of the union. */
  public sealed interface What {}

  /**
   * Fills a buffer.
   *
   * @param buffer the buffer
   * @param value the byte
   */
  @Struct("ToyFill")
  @Union.Case(1)
  public record Fill(@Handle(BUFFER) long buffer, int value) implements What {}

  /**
   * Moves between nodes.
   *
   * @param from one node
   * @param to another
   * @param bytes how much
   */
  @Struct("ToyMove")
  @Union.Case({2, 3})
  public record Move(@Handle(NODE) long from, @Handle(NODE) long to, long bytes) implements What {}
}
