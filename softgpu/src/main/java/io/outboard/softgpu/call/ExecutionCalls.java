// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.call;

import io.outboard.cuda.CudaExecution;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.LaunchConfig;
import io.outboard.ptx.host.Dim3;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.device.Stream;
import io.outboard.softgpu.launch.LaunchAttributes;
import io.outboard.softgpu.launch.LaunchRequest;
import io.outboard.softgpu.launch.LaunchShape;
import io.outboard.softgpu.launch.Occupancy;
import io.outboard.softgpu.module.Launchable;
import io.outboard.softgpu.profile.DeviceAttribute;
import io.outboard.softgpu.profile.DeviceProfile;
import io.outboard.softgpu.stream.CallbackOperation;
import io.outboard.softgpu.stream.HostFunctionOperation;
import io.outboard.wire.Native;

/** Launches, host functions and occupancy. */
public final class ExecutionCalls implements CudaExecution {
  private final Machine machine;

  public ExecutionCalls(Machine machine) {
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
    LaunchShape shape = new LaunchShape(grid, block, sharedBytes);
    return launch(function, shape, false, stream, parameters, parameterBytes);
  }

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
    Dim3 grid = new Dim3(gridX, gridY, gridZ);
    Dim3 block = new Dim3(blockX, blockY, blockZ);
    LaunchShape shape = new LaunchShape(grid, block, sharedBytes);
    return launch(function, shape, true, stream, parameters, parameterBytes);
  }

  /** Attributes that only advise change nothing here; there are no clusters. */
  @Override
  public int outboardLaunchKernelEx(
      long config, long function, long parameters, int parameterBytes) {
    if (config == 0 || (parameters == 0 && parameterBytes > 0)) {
      return CudaResult.INVALID_VALUE;
    }
    if (!LaunchAttributes.arePossible(config)) {
      return CudaResult.NOT_SUPPORTED;
    }
    LaunchShape shape = LaunchShape.of(config);
    long stream = Native.getLong(config + LaunchConfig.STREAM_VALUE);
    boolean cooperative = LaunchAttributes.areCooperative(config);
    return launch(function, shape, cooperative, stream, parameters, parameterBytes);
  }

  private int launch(
      long functionHandle,
      LaunchShape shape,
      boolean cooperative,
      long streamHandle,
      long parameters,
      int parameterBytes) {
    Context context = machine.usable(streamHandle);
    if (context == null) {
      return machine.refusal(streamHandle);
    }
    Stream stream = context.ownStream(streamHandle);
    if (stream == null) {
      return CudaResult.INVALID_HANDLE;
    }
    Launchable launchable = machine.handles().get(functionHandle, Launchable.class);
    LaunchRequest request =
        new LaunchRequest(context, launchable, shape, cooperative, parameters, parameterBytes);
    int result = request.check();
    return result == CudaResult.SUCCESS
        ? context.order().start(stream, request.operation())
        : result;
  }

  @Override
  public int outboardCaptureHostFunc(long stream, long function, long userData) {
    return cuLaunchHostFunc(stream, function, userData);
  }

  @Override
  public int cuLaunchHostFunc(long stream, long function, long userData) {
    Context context = machine.usable(stream);
    if (context == null) {
      return machine.refusal(stream);
    }
    Stream queue = context.ownStream(stream);
    if (queue == null) {
      return CudaResult.INVALID_HANDLE;
    }
    return function == 0
        ? CudaResult.INVALID_VALUE
        : context.order().start(queue, new HostFunctionOperation(function, userData));
  }

  /** A stream that captures takes none (CUDA Driver API, "cuStreamAddCallback"). */
  @Override
  public int outboardAddCallback(long stream, long function, long userData) {
    Context context = machine.usable(stream);
    if (context == null) {
      return machine.refusal(stream);
    }
    Stream queue = context.ownStream(stream);
    if (queue == null) {
      return CudaResult.INVALID_HANDLE;
    }
    if (function == 0) {
      return CudaResult.INVALID_VALUE;
    }
    return queue.capture() != null
        ? queue.capture().invalidate(CudaResult.STREAM_CAPTURE_UNSUPPORTED)
        : context.order().start(queue, new CallbackOperation(function, stream, userData));
  }

  @Override
  public int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      long blocks, long function, int blockSize, long sharedBytes, int flags) {
    Launchable known = machine.handles().get(function, Launchable.class);
    int result = check(known, blocks != 0 && blockSize > 0);
    if (result == CudaResult.SUCCESS) {
      // The vendor's driver looks at as many bits as a launch has.
      Native.putInt(blocks, occupancy(known).blocks(blockSize, Math.max(0, (int) sharedBytes)));
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

  @Override
  public int cuOccupancyMaxActiveClusters(long clusters, long function, long config) {
    Launchable known = machine.handles().get(function, Launchable.class);
    int result = checkClusters(known, clusters, config);
    if (result == CudaResult.SUCCESS) {
      Native.putInt(clusters, LaunchAttributes.haveCluster(config) ? atOnce(known, config) : 0);
    }
    return result;
  }

  /** A cluster of one block is as good as none; the device has no larger ones. */
  private int atOnce(Launchable function, long config) {
    if (!LaunchAttributes.arePossible(config)) {
      return 0;
    }
    LaunchShape shape = LaunchShape.of(config);
    int each = occupancy(function).blocks((int) shape.block().count(), shape.sharedBytes());
    DeviceProfile profile = machine.current().device().profile();
    return each * profile.attribute(DeviceAttribute.MULTIPROCESSOR_COUNT);
  }

  @Override
  public int cuOccupancyMaxPotentialClusterSize(long blocks, long function, long config) {
    int result = checkClusters(machine.handles().get(function, Launchable.class), blocks, config);
    if (result == CudaResult.SUCCESS) {
      Native.putInt(blocks, 1);
    }
    return result;
  }

  private int checkClusters(Launchable function, long output, long config) {
    int result = check(function, output != 0 && config != 0);
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    long stream = Native.getLong(config + LaunchConfig.STREAM_VALUE);
    if (machine.current().stream(stream) == null) {
      return CudaResult.INVALID_HANDLE;
    }
    LaunchShape shape = LaunchShape.of(config);
    boolean some = shape.grid().count() > 0 && shape.block().count() > 0;
    return some ? CudaResult.SUCCESS : CudaResult.INVALID_VALUE;
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
