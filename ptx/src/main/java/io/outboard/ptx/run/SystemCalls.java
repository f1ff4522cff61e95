// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.run;

import io.outboard.ptx.host.PtxTrap;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;

/** The functions that the device offers to kernels. */
public final class SystemCalls {
  private static final int LONGEST_STRING = 1 << 16;

  private SystemCalls() {}

  /** {@code nanosleep}: may return early, as its definition allows. */
  public static void sleep(int nanoseconds) {
    LockSupport.parkNanos(Integer.toUnsignedLong(nanoseconds) / 2);
  }

  /** {@code vprintf}; returns the number of arguments as the device does, or -1. */
  public static int print(BlockContext context, int thread, long format, long arguments) {
    Printf printf = new Printf(context, thread, arguments);
    context.host.print(printf.format(string(context, thread, format)));
    return printf.count();
  }

  /** {@code __assertfail}: the message is the line that CUDA documents ("Assertion"). */
  public static void fail(
      BlockContext context, int thread, long message, long file, int line, long function) {
    throw new Fault(
        PtxTrap.Kind.ASSERT,
        OptionalLong.empty(),
        string(context, thread, file)
            + ":"
            + line
            + ": "
            + string(context, thread, function)
            + ": "
            + context.brackets(thread)
            + " Assertion `"
            + string(context, thread, message)
            + "` failed.");
  }

  /** {@code cudaGraphSetConditional}. */
  public static void setCondition(BlockContext context, int thread, long number, int value) {
    if (!context.host.condition(number, value)) {
      throw new Fault(
          PtxTrap.Kind.TRAP,
          OptionalLong.empty(),
          context.brackets(thread) + " there is no condition " + Long.toUnsignedString(number));
    }
  }

  /** The string that ends with a zero byte at {@code address}. */
  static String string(BlockContext context, int thread, long address) {
    byte[] bytes = new byte[64];
    int length = 0;
    while (length < LONGEST_STRING) {
      int next = GenericMemory.load8(context, thread, address + length);
      if (next == 0) {
        break;
      }
      if (length == bytes.length) {
        bytes = java.util.Arrays.copyOf(bytes, 2 * length);
      }
      bytes[length++] = (byte) next;
    }
    return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
  }
}
