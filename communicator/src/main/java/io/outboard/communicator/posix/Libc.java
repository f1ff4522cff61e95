// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.posix;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/**
 * Binds functions of the C library. All arguments and results are words, in a register each or in
 * as much room on the stack: a function looks at the part of an argument that its type has, and a
 * caller at the part of a result. Functions with as many words thus share one shape of calls; each
 * shape takes a starting virtual machine some milliseconds.
 */
final class Libc {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");

  /** No system that Outboard runs on minds where the fixed arguments end. */
  private static final Linker.Option VARIADIC = Linker.Option.firstVariadicArg(1);

  private Libc() {}

  /**
   * Binds a function of so many words that sets {@code errno}; the handle's first argument is the
   * capture.
   */
  static MethodHandle bind(String name, int words) {
    return link(name, words, ERRNO);
  }

  /** As {@link #bind}, for a function with a variable argument list. */
  static MethodHandle bindVariadic(String name, int words) {
    return link(name, words, ERRNO, VARIADIC);
  }

  /** As {@link #bindVariadic}, for uses of which nobody needs the result. */
  static MethodHandle bindVariadicInfallible(String name, int words) {
    return link(name, words, VARIADIC);
  }

  /** Binds a function that cannot fail. */
  static MethodHandle bindInfallible(String name, int words) {
    return link(name, words);
  }

  /** Binds a function that cannot fail and returns at once: it is called without a transition. */
  static MethodHandle bindTrivial(String name, int words) {
    return link(name, words, Linker.Option.critical(false));
  }

  /** The value of a pointer variable of the C library that never changes. */
  static long variable(String name) {
    MemorySegment symbol = LINKER.defaultLookup().findOrThrow(name);
    return symbol.reinterpret(Long.BYTES).get(JAVA_LONG, 0);
  }

  /** The error for a downcall that throws: a mistake in a binding, never an outcome. */
  static AssertionError broken(Throwable cause) {
    return new AssertionError("a binding of the C library is wrong", cause);
  }

  private static MethodHandle link(String name, int words, Linker.Option... options) {
    MemorySegment symbol = LINKER.defaultLookup().findOrThrow(name);
    MemoryLayout[] arguments = new MemoryLayout[words];
    Arrays.fill(arguments, JAVA_LONG);
    return LINKER.downcallHandle(symbol, FunctionDescriptor.of(JAVA_LONG, arguments), options);
  }
}
