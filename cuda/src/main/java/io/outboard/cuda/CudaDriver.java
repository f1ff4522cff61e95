// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import static io.outboard.cuda.CudaKinds.ALLOCATION;
import static io.outboard.cuda.CudaKinds.ARRAY;
import static io.outboard.cuda.CudaKinds.CONTEXT;
import static io.outboard.cuda.CudaKinds.EVENT;
import static io.outboard.cuda.CudaKinds.EXECUTABLE;
import static io.outboard.cuda.CudaKinds.FUNCTION;
import static io.outboard.cuda.CudaKinds.GRAPH;
import static io.outboard.cuda.CudaKinds.GRAPHICS;
import static io.outboard.cuda.CudaKinds.GREEN_CONTEXT;
import static io.outboard.cuda.CudaKinds.KERNEL;
import static io.outboard.cuda.CudaKinds.LIBRARY;
import static io.outboard.cuda.CudaKinds.LINK;
import static io.outboard.cuda.CudaKinds.MIPMAPPED_ARRAY;
import static io.outboard.cuda.CudaKinds.MODULE;
import static io.outboard.cuda.CudaKinds.NODE;
import static io.outboard.cuda.CudaKinds.POOL;
import static io.outboard.cuda.CudaKinds.RESOURCES;
import static io.outboard.cuda.CudaKinds.STREAM;
import static io.outboard.cuda.CudaKinds.SURFACE_REFERENCE;
import static io.outboard.cuda.CudaKinds.TEXTURE_REFERENCE;
import static io.outboard.cuda.CudaKinds.USER_OBJECT;

import io.outboard.spec.Holds;
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
          holds = Holds.MEMORY,
          invalid = CudaResult.CONTEXT_IS_DESTROYED,
          other = CudaResult.CONTEXT_IS_DESTROYED,
          specials = 0),
      @Kind(
          id = MODULE,
          name = "module",
          type = "CUmodule",
          holds = Holds.MEMORY,
          invalid = CudaResult.INVALID_HANDLE,
          other = CudaResult.INVALID_HANDLE,
          absent = CudaResult.INVALID_HANDLE),
      @Kind(
          id = FUNCTION,
          name = "function",
          type = "CUfunction",
          holds = Holds.NOTHING,
          invalid = CudaResult.INVALID_HANDLE,
          other = CudaResult.INVALID_HANDLE,
          absent = CudaResult.INVALID_HANDLE),
      @Kind(
          id = LIBRARY,
          name = "library",
          type = "CUlibrary",
          holds = Holds.MEMORY,
          invalid = CudaResult.INVALID_HANDLE,
          absent = CudaResult.INVALID_HANDLE,
          everywhere = true),
      @Kind(
          id = KERNEL,
          name = "kernel",
          type = "CUkernel",
          holds = Holds.NOTHING,
          invalid = CudaResult.INVALID_HANDLE,
          other = CudaResult.INVALID_HANDLE,
          absent = CudaResult.INVALID_HANDLE,
          everywhere = true),
      @Kind(
          id = STREAM,
          name = "stream",
          type = "CUstream",
          holds = Holds.WORK,
          invalid = CudaResult.INVALID_HANDLE,
          other = CudaResult.CONTEXT_IS_DESTROYED,
          garbage = CudaResult.INVALID_HANDLE,
          specials = {0, 1, 2},
          perThread = 2),
      @Kind(
          id = EVENT,
          name = "event",
          type = "CUevent",
          holds = Holds.NOTHING,
          invalid = CudaResult.INVALID_HANDLE,
          other = CudaResult.CONTEXT_IS_DESTROYED,
          garbage = CudaResult.INVALID_CONTEXT,
          absent = CudaResult.INVALID_HANDLE),
      @Kind(
          id = GRAPH,
          name = "graph",
          type = "CUgraph",
          holds = Holds.NOTHING,
          invalid = CudaResult.INVALID_VALUE,
          other = CudaResult.INVALID_VALUE,
          absent = CudaResult.INVALID_VALUE),
      @Kind(
          id = NODE,
          name = "node",
          type = "CUgraphNode",
          holds = Holds.NOTHING,
          invalid = CudaResult.INVALID_VALUE,
          other = CudaResult.INVALID_VALUE,
          absent = CudaResult.INVALID_VALUE,
          specials = 0),
      @Kind(
          id = EXECUTABLE,
          name = "executable",
          type = "CUgraphExec",
          holds = Holds.MEMORY,
          invalid = CudaResult.INVALID_VALUE,
          other = CudaResult.INVALID_VALUE,
          absent = CudaResult.INVALID_VALUE),
      @Kind(
          id = POOL,
          name = "pool",
          type = "CUmemoryPool",
          holds = Holds.MEMORY,
          invalid = CudaResult.INVALID_VALUE,
          other = CudaResult.INVALID_VALUE,
          absent = CudaResult.INVALID_VALUE),
      @Kind(
          id = ALLOCATION,
          name = "allocation",
          type = "CUmemGenericAllocationHandle",
          holds = Holds.MEMORY,
          invalid = CudaResult.INVALID_VALUE,
          other = CudaResult.INVALID_VALUE,
          absent = CudaResult.INVALID_VALUE),
      @Kind(
          id = LINK,
          name = "link",
          type = "CUlinkState",
          holds = Holds.NOTHING,
          invalid = CudaResult.INVALID_HANDLE,
          absent = CudaResult.INVALID_HANDLE),
      @Kind(
          id = ARRAY,
          name = "array",
          type = "CUarray",
          holds = Holds.MEMORY,
          invalid = CudaResult.INVALID_HANDLE,
          other = CudaResult.INVALID_VALUE,
          garbage = CudaResult.INVALID_CONTEXT,
          absent = CudaResult.INVALID_HANDLE,
          bounded = true,
          specials = 0),
      @Kind(
          id = MIPMAPPED_ARRAY,
          name = "mipmappedarray",
          type = "CUmipmappedArray",
          holds = Holds.MEMORY,
          invalid = CudaResult.INVALID_HANDLE,
          other = CudaResult.INVALID_VALUE,
          garbage = CudaResult.INVALID_CONTEXT,
          absent = CudaResult.INVALID_HANDLE),
      @Kind(
          id = USER_OBJECT,
          name = "userobject",
          type = "CUuserObject",
          holds = Holds.NOTHING,
          invalid = CudaResult.INVALID_VALUE,
          absent = CudaResult.INVALID_VALUE),
      @Kind(
          id = GREEN_CONTEXT,
          name = "greencontext",
          type = "CUgreenCtx",
          holds = Holds.MEMORY,
          invalid = CudaResult.CONTEXT_IS_DESTROYED,
          other = CudaResult.CONTEXT_IS_DESTROYED,
          absent = CudaResult.INVALID_CONTEXT),
      @Kind(
          id = RESOURCES,
          name = "resources",
          type = "CUdevResourceDesc",
          holds = Holds.NOTHING,
          invalid = CudaResult.INVALID_DEVICE,
          other = CudaResult.INVALID_DEVICE,
          specials = 0),
      @Kind(
          id = TEXTURE_REFERENCE,
          name = "texturereference",
          type = "CUtexref",
          holds = Holds.NOTHING,
          invalid = CudaResult.INVALID_VALUE,
          other = CudaResult.INVALID_CONTEXT,
          absent = CudaResult.INVALID_HANDLE),
      @Kind(
          id = SURFACE_REFERENCE,
          name = "surfacereference",
          type = "CUsurfref",
          holds = Holds.NOTHING,
          invalid = CudaResult.INVALID_VALUE,
          other = CudaResult.INVALID_VALUE,
          garbage = CudaResult.INVALID_CONTEXT,
          absent = CudaResult.INVALID_HANDLE),
      @Kind(
          id = GRAPHICS,
          name = "graphics",
          type = "CUgraphicsResource",
          holds = Holds.MEMORY,
          invalid = CudaResult.INVALID_HANDLE,
          other = CudaResult.INVALID_HANDLE,
          absent = CudaResult.INVALID_HANDLE)
    },
    results =
        @Results(
            invalidValue = CudaResult.INVALID_VALUE,
            notSupported = CudaResult.NOT_SUPPORTED,
            notInitialized = CudaResult.NOT_INITIALIZED,
            unavailable = CudaResult.DEVICE_UNAVAILABLE,
            outOfMemory = CudaResult.OUT_OF_MEMORY,
            lasting = {
              CudaResult.ILLEGAL_ADDRESS,
              CudaResult.LAUNCH_TIMEOUT,
              CudaResult.ASSERT,
              CudaResult.HARDWARE_STACK_ERROR,
              CudaResult.ILLEGAL_INSTRUCTION,
              CudaResult.MISALIGNED_ADDRESS,
              CudaResult.INVALID_ADDRESS_SPACE,
              CudaResult.INVALID_PC,
              CudaResult.LAUNCH_FAILED
            }))
public interface CudaDriver
    extends CudaDevices,
        CudaContexts,
        CudaMemory,
        CudaHostMemory,
        CudaManagedMemory,
        CudaModules,
        CudaExecution,
        CudaTensorMaps,
        CudaGraphs,
        CudaCapture,
        CudaPools,
        CudaVirtualMemory,
        CudaNeighbours,
        CudaStreamValues,
        CudaLinker,
        CudaTextures,
        CudaTextureReferences,
        CudaGraphics,
        CudaGreenContexts,
        CudaStreams,
        CudaErrors,
        CudaOlder {}
