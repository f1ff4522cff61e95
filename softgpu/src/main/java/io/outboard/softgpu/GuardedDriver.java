// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import io.outboard.cuda.CudaContexts;
import io.outboard.cuda.CudaDevices;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaExecution;
import io.outboard.cuda.CudaHostMemory;
import io.outboard.cuda.CudaMemory;
import io.outboard.cuda.CudaModules;
import io.outboard.cuda.CudaStreams;

/**
 * A driver put together from its topics that lets nothing escape but result codes. It is a table:
 * every method hands its call to its topic. It has no lambda, because each would cost a start-up
 * its class and a call its indirection.
 */
abstract class GuardedDriver implements CudaDriver {
  private final CudaDevices devices;
  private final CudaContexts contexts;
  private final CudaMemory memory;
  private final CudaHostMemory hostMemory;
  private final CudaModules modules;
  private final CudaExecution execution;
  private final CudaStreams streams;

  GuardedDriver(
      CudaDevices devices,
      CudaContexts contexts,
      CudaMemory memory,
      CudaHostMemory hostMemory,
      CudaModules modules,
      CudaExecution execution,
      CudaStreams streams) {
    this.devices = devices;
    this.contexts = contexts;
    this.memory = memory;
    this.hostMemory = hostMemory;
    this.modules = modules;
    this.execution = execution;
    this.streams = streams;
  }

  @Override
  public final int cuInit(int flags) {
    try {
      return devices.cuInit(flags);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuDriverGetVersion(long version) {
    try {
      return devices.cuDriverGetVersion(version);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuDeviceGetCount(long count) {
    try {
      return devices.cuDeviceGetCount(count);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuDeviceGet(long device, int ordinal) {
    try {
      return devices.cuDeviceGet(device, ordinal);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuDeviceGetName(long name, int length, int device) {
    try {
      return devices.cuDeviceGetName(name, length, device);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuDeviceGetUuid_v2(long uuid, int device) {
    try {
      return devices.cuDeviceGetUuid_v2(uuid, device);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuDeviceTotalMem_v2(long bytes, int device) {
    try {
      return devices.cuDeviceTotalMem_v2(bytes, device);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuDeviceGetAttribute(long value, int attribute, int device) {
    try {
      return devices.cuDeviceGetAttribute(value, attribute, device);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int outboardDeviceFacts(long facts, int device) {
    try {
      return devices.outboardDeviceFacts(facts, device);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuDeviceGetPCIBusId(long name, int length, int device) {
    try {
      return devices.cuDeviceGetPCIBusId(name, length, device);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuDeviceGetByPCIBusId(long device, long name) {
    try {
      return devices.cuDeviceGetByPCIBusId(device, name);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuDeviceCanAccessPeer(long possible, int device, int peer) {
    try {
      return devices.cuDeviceCanAccessPeer(possible, device, peer);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuDeviceGetP2PAttribute(long value, int attribute, int source, int destination) {
    try {
      return devices.cuDeviceGetP2PAttribute(value, attribute, source, destination);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuDevicePrimaryCtxRetain(long context, int device) {
    try {
      return contexts.cuDevicePrimaryCtxRetain(context, device);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuDevicePrimaryCtxRelease_v2(int device) {
    try {
      return contexts.cuDevicePrimaryCtxRelease_v2(device);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuDevicePrimaryCtxReset_v2(int device) {
    try {
      return contexts.cuDevicePrimaryCtxReset_v2(device);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuDevicePrimaryCtxSetFlags_v2(int device, int flags) {
    try {
      return contexts.cuDevicePrimaryCtxSetFlags_v2(device, flags);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuDevicePrimaryCtxGetState(int device, long flags, long active) {
    try {
      return contexts.cuDevicePrimaryCtxGetState(device, flags, active);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuCtxCreate_v2(long context, int flags, int device) {
    try {
      return contexts.cuCtxCreate_v2(context, flags, device);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuCtxDestroy_v2(long context) {
    try {
      return contexts.cuCtxDestroy_v2(context);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuCtxSetCurrent(long context) {
    try {
      return contexts.cuCtxSetCurrent(context);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuCtxSynchronize() {
    try {
      return contexts.cuCtxSynchronize();
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuCtxGetLimit(long value, int limit) {
    try {
      return contexts.cuCtxGetLimit(value, limit);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuCtxSetLimit(int limit, long value) {
    try {
      return contexts.cuCtxSetLimit(limit, value);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuCtxGetCacheConfig(long config) {
    try {
      return contexts.cuCtxGetCacheConfig(config);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuCtxSetCacheConfig(int config) {
    try {
      return contexts.cuCtxSetCacheConfig(config);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuCtxGetStreamPriorityRange(long least, long greatest) {
    try {
      return contexts.cuCtxGetStreamPriorityRange(least, greatest);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuCtxGetFlags(long flags) {
    try {
      return contexts.cuCtxGetFlags(flags);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuCtxGetApiVersion(long context, long version) {
    try {
      return contexts.cuCtxGetApiVersion(context, version);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuCtxGetId(long context, long id) {
    try {
      return contexts.cuCtxGetId(context, id);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuMemGetInfo_v2(long free, long total) {
    try {
      return memory.cuMemGetInfo_v2(free, total);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuMemAlloc_v2(long pointer, long bytes) {
    try {
      return memory.cuMemAlloc_v2(pointer, bytes);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuMemAllocPitch_v2(
      long pointer, long pitch, long width, long height, int elementBytes) {
    try {
      return memory.cuMemAllocPitch_v2(pointer, pitch, width, height, elementBytes);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuMemFree_v2(long pointer) {
    try {
      return memory.cuMemFree_v2(pointer);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuMemGetAddressRange_v2(long base, long bytes, long pointer) {
    try {
      return memory.cuMemGetAddressRange_v2(base, bytes, pointer);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuMemcpyHtoD_v2(long destination, long source, long bytes) {
    try {
      return memory.cuMemcpyHtoD_v2(destination, source, bytes);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuMemcpyDtoH_v2(long destination, long source, long bytes) {
    try {
      return memory.cuMemcpyDtoH_v2(destination, source, bytes);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuMemcpyDtoD_v2(long destination, long source, long bytes) {
    try {
      return memory.cuMemcpyDtoD_v2(destination, source, bytes);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuMemcpyHtoDAsync_v2(long destination, long source, long bytes, long stream) {
    try {
      return memory.cuMemcpyHtoDAsync_v2(destination, source, bytes, stream);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuMemcpyDtoHAsync_v2(long destination, long source, long bytes, long stream) {
    try {
      return memory.cuMemcpyDtoHAsync_v2(destination, source, bytes, stream);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuMemcpyDtoDAsync_v2(long destination, long source, long bytes, long stream) {
    try {
      return memory.cuMemcpyDtoDAsync_v2(destination, source, bytes, stream);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuMemsetD8_v2(long destination, byte value, long count) {
    try {
      return memory.cuMemsetD8_v2(destination, value, count);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuMemsetD16_v2(long destination, short value, long count) {
    try {
      return memory.cuMemsetD16_v2(destination, value, count);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuMemsetD32_v2(long destination, int value, long count) {
    try {
      return memory.cuMemsetD32_v2(destination, value, count);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuMemsetD8Async(long destination, byte value, long count, long stream) {
    try {
      return memory.cuMemsetD8Async(destination, value, count, stream);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuMemsetD16Async(long destination, short value, long count, long stream) {
    try {
      return memory.cuMemsetD16Async(destination, value, count, stream);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuMemsetD32Async(long destination, int value, long count, long stream) {
    try {
      return memory.cuMemsetD32Async(destination, value, count, stream);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuMemsetD2D8_v2(
      long destination, long pitch, byte value, long width, long height) {
    try {
      return memory.cuMemsetD2D8_v2(destination, pitch, value, width, height);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuMemsetD2D32_v2(
      long destination, long pitch, int value, long width, long height) {
    try {
      return memory.cuMemsetD2D32_v2(destination, pitch, value, width, height);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuMemsetD2D8Async(
      long destination, long pitch, byte value, long width, long height, long stream) {
    try {
      return memory.cuMemsetD2D8Async(destination, pitch, value, width, height, stream);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuMemsetD2D32Async(
      long destination, long pitch, int value, long width, long height, long stream) {
    try {
      return memory.cuMemsetD2D32Async(destination, pitch, value, width, height, stream);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int outboardMemcpy2D(
      long destination,
      long destinationPitch,
      long source,
      long sourcePitch,
      long width,
      long height,
      long stream) {
    try {
      return memory.outboardMemcpy2D(
          destination, destinationPitch, source, sourcePitch, width, height, stream);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int outboardHostMap(long device, long address, long bytes, int flags) {
    try {
      return hostMemory.outboardHostMap(device, address, bytes, flags);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int outboardHostUnmap(long address) {
    try {
      return hostMemory.outboardHostUnmap(address);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int outboardCopyFromHost(
      long destination, long source, long bytes, long stream, long done) {
    try {
      return hostMemory.outboardCopyFromHost(destination, source, bytes, stream, done);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int outboardCopyToHost(
      long destination, long source, long bytes, long stream, long done) {
    try {
      return hostMemory.outboardCopyToHost(destination, source, bytes, stream, done);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuModuleLoadData(long module, long image, long bytes) {
    try {
      return modules.cuModuleLoadData(module, image, bytes);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuModuleUnload(long module) {
    try {
      return modules.cuModuleUnload(module);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuModuleGetFunction(long function, long module, long name) {
    try {
      return modules.cuModuleGetFunction(function, module, name);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuModuleGetGlobal_v2(long pointer, long bytes, long module, long name) {
    try {
      return modules.cuModuleGetGlobal_v2(pointer, bytes, module, name);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuModuleGetFunctionCount(long count, long module) {
    try {
      return modules.cuModuleGetFunctionCount(count, module);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuModuleEnumerateFunctions(long functions, int count, long module) {
    try {
      return modules.cuModuleEnumerateFunctions(functions, count, module);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuLibraryLoadData(long library, long code, long bytes) {
    try {
      return modules.cuLibraryLoadData(library, code, bytes);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuLibraryUnload(long library) {
    try {
      return modules.cuLibraryUnload(library);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuLibraryGetKernel(long kernel, long library, long name) {
    try {
      return modules.cuLibraryGetKernel(kernel, library, name);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuLibraryGetModule(long module, long library) {
    try {
      return modules.cuLibraryGetModule(module, library);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuLibraryGetGlobal(long pointer, long bytes, long library, long name) {
    try {
      return modules.cuLibraryGetGlobal(pointer, bytes, library, name);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuLibraryGetKernelCount(long count, long library) {
    try {
      return modules.cuLibraryGetKernelCount(count, library);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuLibraryEnumerateKernels(long kernels, int count, long library) {
    try {
      return modules.cuLibraryEnumerateKernels(kernels, count, library);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuKernelGetFunction(long function, long kernel) {
    try {
      return modules.cuKernelGetFunction(function, kernel);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuKernelGetLibrary(long library, long kernel) {
    try {
      return modules.cuKernelGetLibrary(library, kernel);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuKernelGetAttribute(long value, int attribute, long kernel, int device) {
    try {
      return modules.cuKernelGetAttribute(value, attribute, kernel, device);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuKernelSetAttribute(int attribute, int value, long kernel, int device) {
    try {
      return modules.cuKernelSetAttribute(attribute, value, kernel, device);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuKernelSetCacheConfig(long kernel, int config, int device) {
    try {
      return modules.cuKernelSetCacheConfig(kernel, config, device);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuKernelGetParamInfo(long kernel, long index, long offset, long bytes) {
    try {
      return modules.cuKernelGetParamInfo(kernel, index, offset, bytes);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuFuncGetAttribute(long value, int attribute, long function) {
    try {
      return modules.cuFuncGetAttribute(value, attribute, function);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuFuncSetAttribute(long function, int attribute, int value) {
    try {
      return modules.cuFuncSetAttribute(function, attribute, value);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuFuncSetCacheConfig(long function, int config) {
    try {
      return modules.cuFuncSetCacheConfig(function, config);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuFuncGetModule(long module, long function) {
    try {
      return modules.cuFuncGetModule(module, function);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuFuncGetParamInfo(long function, long index, long offset, long bytes) {
    try {
      return modules.cuFuncGetParamInfo(function, index, offset, bytes);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int outboardFunctionName(long name, int length, long function) {
    try {
      return modules.outboardFunctionName(name, length, function);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int outboardFunctionFacts(long facts, long function) {
    try {
      return modules.outboardFunctionFacts(facts, function);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuLaunchKernel(
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
    try {
      return execution.cuLaunchKernel(
          function,
          gridX,
          gridY,
          gridZ,
          blockX,
          blockY,
          blockZ,
          sharedBytes,
          stream,
          parameters,
          parameterBytes);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuLaunchCooperativeKernel(
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
    try {
      return execution.cuLaunchCooperativeKernel(
          function,
          gridX,
          gridY,
          gridZ,
          blockX,
          blockY,
          blockZ,
          sharedBytes,
          stream,
          parameters,
          parameterBytes);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuLaunchHostFunc(long stream, long function, long userData) {
    try {
      return execution.cuLaunchHostFunc(stream, function, userData);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      long blocks, long function, int blockSize, long sharedBytes, int flags) {
    try {
      return execution.cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
          blocks, function, blockSize, sharedBytes, flags);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuOccupancyAvailableDynamicSMemPerBlock(
      long bytes, long function, int blocks, int blockSize) {
    try {
      return execution.cuOccupancyAvailableDynamicSMemPerBlock(bytes, function, blocks, blockSize);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuProfilerStart() {
    try {
      return execution.cuProfilerStart();
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuProfilerStop() {
    try {
      return execution.cuProfilerStop();
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuStreamCreate(long stream, int flags) {
    try {
      return streams.cuStreamCreate(stream, flags);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuStreamCreateWithPriority(long stream, int flags, int priority) {
    try {
      return streams.cuStreamCreateWithPriority(stream, flags, priority);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuStreamDestroy_v2(long stream) {
    try {
      return streams.cuStreamDestroy_v2(stream);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuStreamSynchronize(long stream) {
    try {
      return streams.cuStreamSynchronize(stream);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuStreamQuery(long stream) {
    try {
      return streams.cuStreamQuery(stream);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuStreamWaitEvent(long stream, long event, int flags) {
    try {
      return streams.cuStreamWaitEvent(stream, event, flags);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuStreamGetPriority(long stream, long priority) {
    try {
      return streams.cuStreamGetPriority(stream, priority);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuStreamGetFlags(long stream, long flags) {
    try {
      return streams.cuStreamGetFlags(stream, flags);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuStreamGetCtx(long stream, long context) {
    try {
      return streams.cuStreamGetCtx(stream, context);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuStreamGetId(long stream, long id) {
    try {
      return streams.cuStreamGetId(stream, id);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuStreamGetDevice(long stream, long device) {
    try {
      return streams.cuStreamGetDevice(stream, device);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuEventCreate(long event, int flags) {
    try {
      return streams.cuEventCreate(event, flags);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuEventRecord(long event, long stream) {
    try {
      return streams.cuEventRecord(event, stream);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuEventRecordWithFlags(long event, long stream, int flags) {
    try {
      return streams.cuEventRecordWithFlags(event, stream, flags);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuEventQuery(long event) {
    try {
      return streams.cuEventQuery(event);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuEventSynchronize(long event) {
    try {
      return streams.cuEventSynchronize(event);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuEventDestroy_v2(long event) {
    try {
      return streams.cuEventDestroy_v2(event);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }

  @Override
  public final int cuEventElapsedTime_v2(long milliseconds, long start, long end) {
    try {
      return streams.cuEventElapsedTime_v2(milliseconds, start, end);
    } catch (Throwable failure) {
      return Failures.unexpected(failure);
    }
  }
}
