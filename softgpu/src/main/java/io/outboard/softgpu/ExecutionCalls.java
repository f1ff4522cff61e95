// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import io.outboard.cuda.CudaExecution;
import io.outboard.cuda.CudaResult;
import io.outboard.ptx.Dim3;
import io.outboard.ptx.PtxKernel;
import io.outboard.ptx.PtxLaunch;
import io.outboard.wire.Native;
import java.lang.foreign.MemorySegment;

/** Launches, host functions and occupancy. */
final class ExecutionCalls implements CudaExecution {
  private final Machine machine;

  ExecutionCalls(Machine machine) {
    this.machine = machine;
  }

  @Override
  public int cuLaunchKernel(
      long function,
      int gridX,
      int gridY,
      int gridZ,
      int blockX,
      int blockY,
      int blockZ,
      int sharedBytes,
      long stream,
      long parameters,
      int parameterBytes) {
    Dim3 grid = new Dim3(gridX, gridY, gridZ);
    Dim3 block = new Dim3(blockX, blockY, blockZ);
    return launch(
        function, new LaunchShape(grid, block, sharedBytes), stream, parameters, parameterBytes);
  }

  /** The device attribute says that there is no cooperative launch. */
  @Override
  public int cuLaunchCooperativeKernel(
      long function,
      int gridX,
      int gridY,
      int gridZ,
      int blockX,
      int blockY,
      int blockZ,
      int sharedBytes,
      long stream,
      long parameters,
      int parameterBytes) {
    return machine.usable() == null ? machine.refusal() : CudaResult.NOT_SUPPORTED;
  }

  private int launch(
      long functionHandle,
      LaunchShape shape,
      long streamHandle,
      long parameters,
      int parameterBytes) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    Stream stream = context.ownStream(streamHandle);
    Launchable launchable = machine.handles().get(functionHandle, Launchable.class);
    LoadedFunction function = launchable == null ? null : launchable.in(context);
    if (stream == null || function == null) {
      return CudaResult.INVALID_HANDLE;
    }
    if (!shape.fits(function.figures(), context.device().profile())
        || parameterBytes < function.code().parameterBytes()
        || (parameters == 0 && parameterBytes > 0)) {
      return CudaResult.INVALID_VALUE;
    }
    return context.order().start(stream, operation(function.code(), shape, context, parameters));
  }

  private static Operation operation(
      PtxKernel code, LaunchShape shape, Context context, long parameters) {
    DeviceMemory memory = context.device().memory();
    PtxLaunch launch =
        new PtxLaunch(
            shape.grid(),
            shape.block(),
            shape.sharedBytes(),
            copy(parameters, code.parameterBytes()),
            memory.arena(),
            memory.base(),
            context.kernelHost());
    return new KernelOperation(code, launch);
  }

  /** The program may change its parameters when the call returns. */
  private static MemorySegment copy(long parameters, int bytes) {
    MemorySegment copy = MemorySegment.ofArray(new long[(bytes + 7) / 8]);
    MemorySegment.copy(Native.MEMORY, parameters, copy, 0, bytes);
    return copy;
  }

  @Override
  public int cuLaunchHostFunc(long stream, long function, long userData) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    Stream queue = context.ownStream(stream);
    if (queue == null) {
      return CudaResult.INVALID_HANDLE;
    }
    return function == 0
        ? CudaResult.INVALID_VALUE
        : context.order().start(queue, new HostFunctionOperation(function, userData));
  }

  @Override
  public int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      long blocks, long function, int blockSize, long sharedBytes, int flags) {
    Launchable known = machine.handles().get(function, Launchable.class);
    int result = check(known, blocks != 0 && blockSize > 0 && sharedBytes >= 0);
    if (result == CudaResult.SUCCESS) {
      Native.putInt(blocks, occupancy(known).blocks(blockSize, sharedBytes));
    }
    return result;
  }

  @Override
  public int cuOccupancyAvailableDynamicSMemPerBlock(
      long bytes, long function, int blocks, int blockSize) {
    Launchable known = machine.handles().get(function, Launchable.class);
    int result = check(known, bytes != 0 && blockSize > 0 && blocks > 0);
    if (result == CudaResult.SUCCESS) {
      Native.putLong(bytes, occupancy(known).dynamicBytes(blocks, blockSize));
    }
    return result;
  }

  private Occupancy occupancy(Launchable function) {
    return new Occupancy(machine.current().device().profile(), function);
  }

  private int check(Launchable function, boolean valid) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    if (function == null) {
      return CudaResult.INVALID_HANDLE;
    }
    return valid ? CudaResult.SUCCESS : CudaResult.INVALID_VALUE;
  }

  /** There is no profiler to switch. */
  @Override
  public int cuProfilerStart() {
    return machine.usable() == null ? machine.refusal() : CudaResult.SUCCESS;
  }

  @Override
  public int cuProfilerStop() {
    return machine.usable() == null ? machine.refusal() : CudaResult.SUCCESS;
  }
}
