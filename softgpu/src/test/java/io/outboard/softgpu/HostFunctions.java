// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.LongConsumer;

/** Functions of the program that a stream can call. */
final class HostFunctions implements AutoCloseable {
  private final Arena arena = Arena.ofShared();

  /** The address of a C function that hands its user data on. */
  long address(LongConsumer consumer) {
    try {
      var handle =
          MethodHandles.lookup()
              .findVirtual(
                  LongConsumer.class, "accept", MethodType.methodType(void.class, long.class))
              .bindTo(consumer);
      return Linker.nativeLinker()
          .upcallStub(handle, FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG), arena)
          .address();
    } catch (ReflectiveOperationException impossible) {
      throw new LinkageError("accept", impossible);
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
