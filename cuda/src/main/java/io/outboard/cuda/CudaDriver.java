// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import static io.outboard.cuda.CudaKinds.CONTEXT;
import static io.outboard.cuda.CudaKinds.EVENT;
import static io.outboard.cuda.CudaKinds.FUNCTION;
import static io.outboard.cuda.CudaKinds.KERNEL;
import static io.outboard.cuda.CudaKinds.LIBRARY;
import static io.outboard.cuda.CudaKinds.MODULE;
import static io.outboard.cuda.CudaKinds.STREAM;

import io.outboard.spec.Kind;
import io.outboard.spec.Library;
import io.outboard.spec.Results;

/**
 * The CUDA driver interface ({@code libcuda.so.1}), after the CUDA Driver API reference manual,
 * 13.0. Everything that serves CUDA is a {@code CudaDriver}: the vendor's library, the software
 * GPU, the client of a remote one, decorators.
 *
 * <p>Methods have the vendor's names, order of parameters and result codes. Pointers are addresses
 * in this process.
 */
@Library(
    name = "cuda",
    id = 1,
    soname = "libcuda.so.1",
    addressType = "CUdeviceptr",
    resultType = "CUresult",
    kinds = {
      @Kind(
          id = CONTEXT,
          name = "context",
          type = "CUcontext",
          invalid = CudaResult.INVALID_CONTEXT,
          specials = 0),
      @Kind(id = MODULE, name = "module", type = "CUmodule", invalid = CudaResult.INVALID_HANDLE),
      @Kind(
          id = FUNCTION,
          name = "function",
          type = "CUfunction",
          invalid = CudaResult.INVALID_HANDLE),
      @Kind(
          id = LIBRARY,
          name = "library",
          type = "CUlibrary",
          invalid = CudaResult.INVALID_HANDLE),
      @Kind(id = KERNEL, name = "kernel", type = "CUkernel", invalid = CudaResult.INVALID_HANDLE),
      @Kind(
          id = STREAM,
          name = "stream",
          type = "CUstream",
          invalid = CudaResult.INVALID_HANDLE,
          specials = {0, 1, 2},
          perThread = 2),
      @Kind(id = EVENT, name = "event", type = "CUevent", invalid = CudaResult.INVALID_HANDLE)
    },
    results =
        @Results(
            invalidValue = CudaResult.INVALID_VALUE,
            notSupported = CudaResult.NOT_SUPPORTED,
            notInitialized = CudaResult.NOT_INITIALIZED,
            unavailable = CudaResult.DEVICE_UNAVAILABLE,
            outOfMemory = CudaResult.OUT_OF_MEMORY,
            notPermitted = CudaResult.NOT_PERMITTED))
public interface CudaDriver
    extends CudaDevices,
        CudaContexts,
        CudaMemory,
        CudaHostMemory,
        CudaModules,
        CudaExecution,
        CudaStreams,
        CudaErrors {}
