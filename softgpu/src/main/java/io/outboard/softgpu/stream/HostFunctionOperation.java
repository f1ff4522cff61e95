// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.stream;

import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.NodeType;
import io.outboard.softgpu.device.Operation;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Calls a function of the program: {@code void function(void *userData)}. */
public final class HostFunctionOperation extends Operation {
  private static final MethodHandle CALL =
      Linker.nativeLinker().downcallHandle(FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));

  private final MemorySegment function;
  private final long userData;

  public HostFunctionOperation(long function, long userData) {
    this.function = MemorySegment.ofAddress(function);
    this.userData = userData;
  }

  @Override
  public int nodeType() {
    return NodeType.HOST;
  }

  @Override
  public void perform(Context context) {
    try {
      call();
    } catch (AssertionError failure) {
      context.broken(failure);
    }
  }

  /** Returns when the function has. */
  public void call() {
    try {
      CALL.invokeExact(function, userData);
    } catch (Throwable failure) {
      throw new AssertionError("a function of the program does not throw", failure);
    }
  }
}
