// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import io.outboard.cuda.CudaResult;
import io.outboard.ptx.PtxLaunch;
import io.outboard.wire.Native;
import java.lang.foreign.MemorySegment;

/**
 * A launch that is asked for.
 *
 * @param launchable what is launched; null if the handle was wrong
 * @param parameters address of the packed parameters
 */
record LaunchRequest(
    Context context,
    Launchable launchable,
    LaunchShape shape,
    long parameters,
    int parameterBytes) {
  /** Whether it can be done, as a result code. */
  int check() {
    LoadedFunction function = launchable == null ? null : launchable.in(context);
    if (function == null) {
      return CudaResult.INVALID_HANDLE;
    }
    boolean possible =
        shape.fits(function.figures(), context.device().profile())
            && parameterBytes >= function.code().parameterBytes()
            && (parameters != 0 || parameterBytes == 0);
    return possible ? CudaResult.SUCCESS : CudaResult.INVALID_VALUE;
  }

  /** The work, with a copy of the parameters: the program may change its own. */
  KernelOperation operation() {
    LoadedFunction function = launchable.in(context);
    DeviceMemory memory = context.device().memory();
    PtxLaunch launch =
        new PtxLaunch(
            shape.grid(),
            shape.block(),
            shape.sharedBytes(),
            copy(function.code().parameterBytes()),
            memory.arena(),
            memory.base(),
            context.kernelHost());
    return new KernelOperation(launchable, function.code(), launch);
  }

  private MemorySegment copy(int bytes) {
    MemorySegment copy = MemorySegment.ofArray(new long[(bytes + 7) / 8]);
    MemorySegment.copy(Native.MEMORY, parameters, copy, 0, bytes);
    return copy;
  }
}
