// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import static io.outboard.cuda.CudaKinds.FUNCTION;
import static io.outboard.cuda.CudaKinds.KERNEL;
import static io.outboard.cuda.CudaKinds.STREAM;
import static io.outboard.spec.Need.INITIALIZED;
import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;
import static io.outboard.spec.Work.COMPUTE;

import io.outboard.cuda.struct.LaunchConfig;
import io.outboard.spec.Async;
import io.outboard.spec.CString;
import io.outboard.spec.Cached;
import io.outboard.spec.Call;
import io.outboard.spec.Callback;
import io.outboard.spec.Custom;
import io.outboard.spec.DeviceWork;
import io.outboard.spec.Handle;
import io.outboard.spec.In;
import io.outboard.spec.Local;
import io.outboard.spec.Out;
import io.outboard.spec.Ready;
import io.outboard.spec.Resource;
import io.outboard.spec.Same;
import io.outboard.spec.Takes;
import io.outboard.spec.Touches;
import io.outboard.spec.Variants;

/**
 * Launches, host functions, occupancy and the profiler's switch; CUDA Driver API, sections 6.22,
 * 6.25 and 6.36.
 */
public interface CudaExecution {
  /**
   * Launches a kernel with its parameters packed as the function's layout says.
   *
   * @param sharedBytes dynamic shared memory of a block
   * @param parameters address of {@code parameterBytes} bytes
   */
  @Call(120)
  @Async
  @DeviceWork(value = COMPUTE, in = "stream")
  @Custom(
      value = "packed parameters, and a checked configuration",
      binding = true,
      prototype =
          "CUresult cuLaunchKernel(CUfunction function, unsigned int gridX, unsigned int gridY,"
              + " unsigned int gridZ, unsigned int blockX, unsigned int blockY, unsigned int"
              + " blockZ, unsigned int sharedBytes, CUstream stream, void **parameters, void"
              + " **extra)")
  @Variants("cuLaunchKernel_ptsz")
  int cuLaunchKernel(
      @Handle({FUNCTION, KERNEL}) long function,
      int gridX,
      int gridY,
      int gridZ,
      int blockX,
      int blockY,
      int blockZ,
      int sharedBytes,
      @Handle(STREAM) @Touches long stream,
      @In(bytes = "parameterBytes") long parameters,
      int parameterBytes);

  /**
   * As {@link #cuLaunchKernel}; all blocks of the grid run at the same time. Answered: too large a
   * grid is an error at once.
   */
  @Call(121)
  @DeviceWork(value = COMPUTE, in = "stream")
  @Custom(
      value = "packed parameters, and a checked configuration",
      binding = true,
      prototype =
          "CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int gridX, unsigned int"
              + " gridY, unsigned int gridZ, unsigned int blockX, unsigned int blockY, unsigned int"
              + " blockZ, unsigned int sharedBytes, CUstream stream, void **parameters)")
  @Variants("cuLaunchCooperativeKernel_ptsz")
  int cuLaunchCooperativeKernel(
      @Handle({FUNCTION, KERNEL}) long function,
      int gridX,
      int gridY,
      int gridZ,
      int blockX,
      int blockY,
      int blockZ,
      int sharedBytes,
      @Handle(STREAM) @Touches long stream,
      @In(bytes = "parameterBytes") long parameters,
      int parameterBytes);

  /**
   * Runs a function of the program when the stream gets there. It must not call CUDA. XLA asks for
   * one in each step.
   */
  @Call(122)
  @Takes(Resource.NOTHING)
  @Async
  @Custom("the count of functions that have not run yet, for which copies wait")
  @Variants("cuLaunchHostFunc_ptsz")
  int cuLaunchHostFunc(
      @Handle(STREAM) @Touches long stream,
      @Callback(userData = "userData") long function,
      long userData);

  /**
   * As {@link #cuLaunchHostFunc}, of a stream that captures: the function runs at each launch of
   * the graph.
   */
  @Call(130)
  @Takes(Resource.NOTHING)
  @Custom(value = "not a function of the vendor: cuLaunchHostFunc in a capture", binding = true)
  int outboardCaptureHostFunc(
      @Handle(STREAM) long stream,
      @Callback(userData = "userData", repeated = true) long function,
      long userData);

  /**
   * Runs a function of the program when the stream gets there, with the result of the work before
   * it: {@code cuStreamAddCallback}, for a stream that does not capture. Unlike one of {@link
   * #cuLaunchHostFunc} it runs behind work that failed too, with the error.
   */
  @Call(647)
  @Takes(Resource.NOTHING)
  @Async
  @Custom(value = "not a function of the vendor: cuStreamAddCallback", binding = true)
  default int outboardAddCallback(
      @Handle(STREAM) long stream,
      @Callback(userData = "userData", position = 2) long function,
      long userData) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Most blocks of this size that a multiprocessor holds at once. */
  @Call(123)
  @Ready(INITIALIZED)
  @Cached(until = "function")
  int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      @Out(INT) long blocks,
      @Handle({FUNCTION, KERNEL}) long function,
      int blockSize,
      long sharedBytes,
      int flags);

  /** Dynamic shared memory that a block may use so that this many blocks fit. */
  @Call(124)
  @Ready(INITIALIZED)
  @Cached(until = "function")
  int cuOccupancyAvailableDynamicSMemPerBlock(
      @Out(LONG) long bytes, @Handle({FUNCTION, KERNEL}) long function, int blocks, int blockSize);

  /** Starts the profiler's recording, where one is attached to the backend. */
  @Call(125)
  int cuProfilerStart();

  /** Stops it. */
  @Call(126)
  int cuProfilerStop();

  /**
   * As {@link #cuLaunchKernel}, with a configuration structure: clusters, cooperation, the order
   * with its neighbours. The stream is that of the structure.
   */
  @Call(127)
  @Async
  @DeviceWork(COMPUTE)
  @Custom(value = "not a function of the vendor: cuLaunchKernelEx, packed", binding = true)
  int outboardLaunchKernelEx(
      @In(struct = LaunchConfig.class) @Touches long config,
      @Handle({FUNCTION, KERNEL}) long function,
      @In(bytes = "parameterBytes") long parameters,
      int parameterBytes);

  /** Most clusters of this configuration that the device holds at once. */
  @Call(128)
  int cuOccupancyMaxActiveClusters(
      @Out(INT) long clusters,
      @Handle({FUNCTION, KERNEL}) long function,
      @In(struct = LaunchConfig.class) long config);

  /** Most blocks of a cluster of this configuration. */
  @Call(129)
  int cuOccupancyMaxPotentialClusterSize(
      @Out(INT) long blocks,
      @Handle({FUNCTION, KERNEL}) long function,
      @In(struct = LaunchConfig.class) long config);

  /** As {@link #cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags} without flags. */
  @Same(
      as = "cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
      with = {"blocks", "function", "blockSize", "sharedBytes", "0"},
      prototype =
          "CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function,"
              + " int blockSize, size_t sharedBytes)")
  default int cuOccupancyMaxActiveBlocksPerMultiprocessor(
      @Out(INT) long blocks,
      @Handle({FUNCTION, KERNEL}) long function,
      int blockSize,
      long sharedBytes) {
    return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks, function, blockSize, sharedBytes, 0);
  }

  /** Block size of the highest occupancy; the program's function says what each size takes. */
  @Same(
      as = "cuOccupancyMaxPotentialBlockSizeWithFlags",
      with = {"gridSize", "blockSize", "function", "sharedBytesOf", "sharedBytes", "limit", "0"},
      prototype =
          "CUresult cuOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize, CUfunction"
              + " function, size_t (*sharedBytesOf)(int), size_t sharedBytes, int limit)")
  default int cuOccupancyMaxPotentialBlockSize(
      @Out(INT) long gridSize,
      @Out(INT) long blockSize,
      @Handle({FUNCTION, KERNEL}) long function,
      long sharedBytesOf,
      long sharedBytes,
      int limit) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As {@link #cuOccupancyMaxPotentialBlockSize}, with flags. */
  @Local(
      prototype =
          "CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *gridSize, int *blockSize,"
              + " CUfunction function, size_t (*sharedBytesOf)(int), size_t sharedBytes, int limit,"
              + " unsigned int flags)")
  default int cuOccupancyMaxPotentialBlockSizeWithFlags(
      @Out(INT) long gridSize,
      @Out(INT) long blockSize,
      @Handle({FUNCTION, KERNEL}) long function,
      long sharedBytesOf,
      long sharedBytes,
      int limit,
      int flags) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Launches with a configuration structure ({@code CUlaunchConfig}) and its attributes. */
  @Variants("cuLaunchKernelEx_ptsz")
  @Local(
      prototype =
          "CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void"
              + " **parameters, void **extra)")
  default int cuLaunchKernelEx(
      long config, @Handle({FUNCTION, KERNEL}) long function, long parameters, long extra) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Makes the profiler ready, which the vendor's driver no longer does by this name. */
  @Local(
      prototype =
          "CUresult cuProfilerInitialize(const char *configuration, const char *output, int mode)")
  default int cuProfilerInitialize(@CString long configuration, @CString long output, int mode) {
    return CudaResult.NOT_SUPPORTED;
  }
}
