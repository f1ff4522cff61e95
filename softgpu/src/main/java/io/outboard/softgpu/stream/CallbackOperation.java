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

/**
 * Calls a function of the program with the result of the work before it: {@code void
 * function(CUstream stream, CUresult status, void *userData)}, in a lost context too.
 */
public final class CallbackOperation extends Operation {
  private static final MethodHandle CALL =
      Linker.nativeLinker()
          .downcallHandle(
              FunctionDescriptor.ofVoid(
                  ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG));

  private final MemorySegment function;
  private final long stream;
  private final long userData;

  public CallbackOperation(long function, long stream, long userData) {
    this.function = MemorySegment.ofAddress(function);
    this.stream = stream;
    this.userData = userData;
  }

  @Override
  public boolean always() {
    return true;
  }

  @Override
  public int nodeType() {
    return NodeType.HOST;
  }

  @Override
  public void perform(Context context) {
    try {
      CALL.invokeExact(function, stream, context.error(), userData);
    } catch (Throwable failure) {
      throw new AssertionError("a function of the program does not throw", failure);
    }
  }
}
