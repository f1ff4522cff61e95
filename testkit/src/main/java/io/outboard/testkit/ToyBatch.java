// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;
import static io.outboard.testkit.ToyKinds.BUFFER;

import io.outboard.spec.Handle;
import io.outboard.spec.In;
import io.outboard.spec.Struct;

/**
 * Counted pointers.
 *
 * @param valueCount number of values
 * @param values some numbers
 * @param bufferCount number of buffers
 * @param buffers some handles
 * @param groupCount number of groups
 * @param groups structures that have pointers themselves
 */
@Struct
public record ToyBatch(
    int valueCount,
    @In(value = INT, count = "valueCount") long values,
    long bufferCount,
    @In(value = LONG, count = "bufferCount") @Handle(BUFFER) long buffers,
    int groupCount,
    @In(struct = Group.class, count = "groupCount") long groups) {

  /**
   * A group of values.
   *
   * @param values some numbers
   * @param count number of values
   * @param buffer where they go
   */
  @Struct("ToyGroup")
  public record Group(
      @In(value = INT, count = "count") long values, int count, @Handle(BUFFER) long buffer) {}
}
