// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Whether somebody still reads standard output, or the terminal is still there: {@code poll(2)}
 * says so without writing.
 */
final class Reader {
  private static final int STANDARD_OUTPUT = 1;
  private static final int POLLERR_POLLHUP = 0x8 | 0x10;

  private static final MemoryLayout POLLFD =
      MemoryLayout.structLayout(JAVA_INT, JAVA_SHORT, JAVA_SHORT);

  private static final MethodHandle POLL =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("poll"),
              FunctionDescriptor.of(JAVA_INT, ValueLayout.ADDRESS, JAVA_LONG, JAVA_INT));

  private Reader() {}

  /** Whether the other end of standard output is closed. */
  static boolean isGone() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment asked = arena.allocate(POLLFD);
      asked.set(JAVA_INT, 0, STANDARD_OUTPUT);
      int answers = (int) POLL.invokeExact(asked, 1L, 0);
      return answers > 0 && (asked.get(JAVA_SHORT, 6) & POLLERR_POLLHUP) != 0;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
