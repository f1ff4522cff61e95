// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import io.outboard.cuda.CudaResult;
import io.outboard.spec.Size;
import io.outboard.spec.Struct;
import io.outboard.wire.Native;
import java.util.function.LongToIntFunction;

/**
 * The facts about a function that a launch needs, in one answer.
 *
 * @param parameters number of parameters; {@link #UNKNOWN} where the facts could not be had
 * @param parameterBytes size of the packed parameters
 * @param maxThreads most threads of a block ({@code CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK})
 * @param sharedBytes static shared memory of a block ({@code CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES})
 * @param layout offset and size of each of the first {@link #LAYOUT} parameters, two numbers each
 */
@Struct
public record FunctionFacts(
    int parameters,
    int parameterBytes,
    int maxThreads,
    int sharedBytes,
    @Size(2 * FunctionFacts.LAYOUT) int[] layout) {
  /**
   * Most parameters that are described; kernels with more are launched with a packed buffer ({@code
   * extra}) only.
   */
  public static final int LAYOUT = 256;

  /** Offset of {@link #parameterBytes} in the structure. */
  public static final int PARAMETER_BYTES = 4;

  /** Offset of {@link #maxThreads}. */
  public static final int MAX_THREADS = 8;

  /** Offset of {@link #sharedBytes}. */
  public static final int SHARED_BYTES = 12;

  /** Offset of {@link #layout}. */
  public static final int LAYOUT_VALUES = 16;

  /** Size of the structure. */
  public static final int BYTES = LAYOUT_VALUES + 8 * LAYOUT;

  /** Number of parameters where nothing is known. */
  public static final int UNKNOWN = -1;

  /** Has {@code question} write the facts to {@code facts}, if that is an address. */
  public static void ask(long facts, LongToIntFunction question) {
    if (facts != 0 && question.applyAsInt(facts) != CudaResult.SUCCESS) {
      Native.putInt(facts, UNKNOWN);
    }
  }
}
