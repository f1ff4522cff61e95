// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import io.outboard.cuda.CudaResult;
import io.outboard.spec.Size;
import io.outboard.spec.Struct;
import io.outboard.wire.Native;

/**
 * Figures of a function or kernel ({@code CUfunction_attribute}), as many as are known.
 *
 * @param known bit a: the driver told attribute a
 * @param values value of attribute a at index a
 */
@Struct
public record FunctionAttributes(int known, @Size(FunctionAttributes.COUNT) int[] values) {
  /** One more than the highest attribute that is asked for. */
  public static final int COUNT = 16;

  private static final int VALUES = 4;

  /** Has a driver write an attribute to an address. */
  public interface Question {
    /** Its result. */
    public int ask(long to, int attribute);
  }

  /** Asks for each, and writes down at {@code attributes}, if that is an address, what is told. */
  public static void ask(long attributes, Question question) {
    if (attributes == 0) {
      return;
    }
    int known = 0;
    for (int attribute = 0; attribute < COUNT; attribute++) {
      long value = attributes + VALUES + 4L * attribute;
      if (question.ask(value, attribute) == CudaResult.SUCCESS) {
        known |= 1 << attribute;
      } else {
        Native.putInt(value, 0);
      }
    }
    Native.putInt(attributes, known);
  }
}
