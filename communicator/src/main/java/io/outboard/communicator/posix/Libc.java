// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.posix;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Binds functions of the C library. */
final class Libc {
  private static final Linker LINKER = Linker.nativeLinker();

  private Libc() {}

  /** Binds a function that sets {@code errno}; the handle's first argument is the capture. */
  static MethodHandle bind(String name, MemoryLayout result, MemoryLayout... arguments) {
    return link(name, result, arguments, Linker.Option.captureCallState("errno"));
  }

  /** Binds a function with a variable argument list that starts after {@code fixed} arguments. */
  static MethodHandle bindVariadic(
      String name, int fixed, MemoryLayout result, MemoryLayout... arguments) {
    return link(
        name,
        result,
        arguments,
        Linker.Option.captureCallState("errno"),
        Linker.Option.firstVariadicArg(fixed));
  }

  /** As {@link #bindVariadic}, for uses of which nobody needs the result. */
  static MethodHandle bindVariadicInfallible(
      String name, int fixed, MemoryLayout result, MemoryLayout... arguments) {
    return link(name, result, arguments, Linker.Option.firstVariadicArg(fixed));
  }

  /** Binds a function that cannot fail. */
  static MethodHandle bindInfallible(String name, MemoryLayout result, MemoryLayout... arguments) {
    return link(name, result, arguments);
  }

  /** Binds a function that cannot fail and returns at once: it is called without a transition. */
  static MethodHandle bindTrivial(String name, MemoryLayout result, MemoryLayout... arguments) {
    return link(name, result, arguments, Linker.Option.critical(false));
  }

  /** The value of a pointer variable of the C library that never changes. */
  static long variable(String name) {
    MemorySegment symbol = LINKER.defaultLookup().findOrThrow(name);
    return symbol.reinterpret(Long.BYTES).get(ValueLayout.JAVA_LONG, 0);
  }

  /** The error for a downcall that throws: a mistake in a binding, never an outcome. */
  static AssertionError broken(Throwable cause) {
    return new AssertionError("a binding of the C library is wrong", cause);
  }

  private static MethodHandle link(
      String name, MemoryLayout result, MemoryLayout[] arguments, Linker.Option... options) {
    MemorySegment symbol = LINKER.defaultLookup().findOrThrow(name);
    return LINKER.downcallHandle(symbol, FunctionDescriptor.of(result, arguments), options);
  }
}
