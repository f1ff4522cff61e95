// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.vendor;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.outboard.cuda.CudaResult;
import io.outboard.cuda.PageRuns;
import io.outboard.cuda.struct.AllocationNode;
import io.outboard.cuda.struct.DeviceFacts;
import io.outboard.cuda.struct.FunctionFacts;
import io.outboard.cuda.struct.Memcpy3D;
import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.stream.IntStream;

/**
 * The vendor's {@code libcuda.so.1}: the generated binding, and by hand the calls whose shape on
 * the wire differs from the vendor's function.
 */
public final class VendorCudaDriver extends VendorGraphs {
  private static final int MEMORY_TYPE_DEVICE = 2;
  private static final int MEMORY_TYPE_ARRAY = 3;
  private static final int HOST_REGISTER_PORTABLE = 1;
  private static final int HOST_REGISTER_DEVICEMAP = 2;

  private static final int COPY_BYTES = 128;

  /** {@code CU_POINTER_ATTRIBUTE_IS_MANAGED}. */
  private static final int IS_MANAGED = 8;

  /** {@code CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS}. */
  private static final int CONCURRENT_MANAGED_ACCESS = 89;

  /** The largest page of a processor that has clients, in bytes. */
  private static final long PAGE = 64 << 10;

  /** {@code CU_MEM_ATTACH_GLOBAL}. */
  private static final int ATTACH_GLOBAL = 1;

  // CU_FUNC_ATTRIBUTE_…
  private static final int MAX_THREADS = 0;
  private static final int SHARED_BYTES = 1;

  private final VendorLinks links = new VendorLinks();
  private final VendorPages pages = new VendorPages(new PageCopies(this));

  private VendorCudaDriver(SymbolLookup library) {
    super(library);
  }

  /**
   * Loads the vendor's library.
   *
   * @throws IllegalArgumentException if it cannot be loaded
   */
  public static VendorCudaDriver load(String library) {
    return new VendorCudaDriver(SymbolLookup.libraryLookup(library, Arena.global()));
  }

  @Override
  public int outboardDeviceFacts(long facts, int device) {
    int result = super.outboardDeviceFacts(facts, device);
    if (result == CudaResult.SUCCESS) {
      DeviceFacts.takes(facts, DeviceFacts.BINARIES);
    }
    return result;
  }

  @Override
  public int cuModuleLoadData(long module, long image, long bytes) {
    return call(Handles.MODULE_LOAD_DATA, module, image);
  }

  @Override
  public int cuLibraryLoadData(long library, long code, long bytes) {
    MethodHandle handle = Handles.LIBRARY_LOAD_DATA;
    if (handle == null) {
      return CudaResult.NOT_SUPPORTED;
    }
    try {
      return (int) handle.invokeExact(library, code, 0L, 0L, 0, 0L, 0L, 0);
    } catch (Throwable e) {
      throw new AssertionError("a native function does not throw", e);
    }
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
    long extra = extra(parameters, parameterBytes);
    try {
      return (int)
          Handles.LAUNCH_KERNEL.invokeExact(
              function,
              gridX,
              gridY,
              gridZ,
              blockX,
              blockY,
              blockZ,
              sharedBytes,
              stream,
              0L,
              extra);
    } catch (Throwable e) {
      throw new AssertionError("a native function does not throw", e);
    }
  }

  @Override
  public int outboardLaunchKernelEx(
      long config, long function, long parameters, int parameterBytes) {
    MethodHandle handle = Handles.LAUNCH_CONFIGURED;
    if (handle == null) {
      return CudaResult.NOT_SUPPORTED;
    }
    try {
      return (int) handle.invokeExact(config, function, 0L, extra(parameters, parameterBytes));
    } catch (Throwable e) {
      throw new AssertionError("a native function does not throw", e);
    }
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
    try (Arena arena = Arena.ofConfined()) {
      long pointers = parameterPointers(arena, function, parameters, parameterBytes);
      return (int)
          Handles.LAUNCH_COOPERATIVE.invokeExact(
              function, gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes, stream, pointers);
    } catch (Throwable e) {
      throw new AssertionError("a native function does not throw", e);
    }
  }

  /** The cooperative launch has no "extra": it takes one pointer a parameter. */
  private long parameterPointers(Arena arena, long function, long parameters, int parameterBytes) {
    if (parameterBytes == 0) {
      return 0;
    }
    long loaded = loaded(function);
    long offset = scratch();
    long pointers = arena.allocate(8L * parameterBytes, 8).address();
    for (long index = 0;
        cuFuncGetParamInfo(loaded, index, offset, offset + 8) == CudaResult.SUCCESS;
        index++) {
      Native.putLong(pointers + 8 * index, parameters + Native.getLong(offset));
    }
    return pointers;
  }

  /**
   * {@code CUDA_MEMCPY2D}: x, y, memory type, host, device, array and pitch of source and
   * destination, width, height.
   */
  @Override
  public int outboardMemcpy2D(
      long destination,
      long destinationPitch,
      long source,
      long sourcePitch,
      long width,
      long height,
      long stream) {
    MemorySegment copy = Native.MEMORY.asSlice(scratch(), COPY_BYTES).fill((byte) 0);
    long address = copy.address();
    Native.putInt(address + 16, MEMORY_TYPE_DEVICE);
    Native.putLong(address + 32, source);
    Native.putLong(address + 48, sourcePitch);
    Native.putInt(address + 72, MEMORY_TYPE_DEVICE);
    Native.putLong(address + 88, destination);
    Native.putLong(address + 104, destinationPitch);
    Native.putLong(address + 112, width);
    Native.putLong(address + 120, height);
    return call(Handles.MEMCPY_2D_ASYNC, address, stream);
  }

  @Override
  public int outboardHostMap(long device, long address, long bytes, int flags) {
    Native.putLong(device, 0);
    int result = Handles.register(address, bytes, flags);
    if (result == CudaResult.SUCCESS && (flags & HOST_REGISTER_DEVICEMAP) != 0) {
      result = Handles.devicePointer(device, address);
    }
    return result;
  }

  /** The driver takes host memory wherever it lies. */
  @Override
  public int outboardManagedPlace(long address, long bytes) {
    Native.putLong(address, 0);
    return CudaResult.SUCCESS;
  }

  /** Page-locked memory that all contexts map: usable where kernels find it at its own address. */
  @Override
  public int outboardManagedMap(long address, long bytes) {
    if (pages.isFull()) {
      return CudaResult.OUT_OF_MEMORY;
    }
    long device = scratch();
    int flags = HOST_REGISTER_PORTABLE | HOST_REGISTER_DEVICEMAP;
    int result = Handles.register(address, bytes, flags);
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    result = Handles.devicePointer(device, address);
    if (result != CudaResult.SUCCESS || Native.getLong(device) != address) {
      int unused = Handles.unregister(address);
      return result != CudaResult.SUCCESS ? result : CudaResult.NOT_SUPPORTED;
    }
    pages.addHost(address, bytes);
    return CudaResult.SUCCESS;
  }

  /** The driver's own managed memory lies where its library put it. */
  @Override
  public int outboardManagedVariable(long bytes, long address) {
    Native.putLong(bytes, 0);
    return CudaResult.SUCCESS;
  }

  @Override
  public int outboardModuleVariable(
      long pointer, long bytes, long sharing, long module, long name) {
    return VariableSharing.inModule(this, pointer, bytes, sharing, module, name, this::sharing);
  }

  @Override
  public int outboardLibraryVariable(
      long pointer, long bytes, long sharing, long library, long name, int managed) {
    return VariableSharing.inLibrary(
        this,
        pointer,
        bytes,
        sharing,
        library,
        name,
        managed,
        managed != 0 ? address -> sharingOfManaged() : this::sharing);
  }

  private long sharing(long address) {
    return isManaged(address) ? sharingOfManaged() : VariableSharing.NONE;
  }

  private long sharingOfManaged() {
    return processorMayUseManaged() ? VariableSharing.MIRRORED : VariableSharing.NONE;
  }

  /** The context that is current to the thread, 0 if there is none. */
  public long currentContext() {
    long value = scratch();
    return Handles.ask(Handles.CURRENT_CONTEXT, value) == CudaResult.SUCCESS
        ? Native.getLong(value)
        : 0;
  }

  private boolean isManaged(long address) {
    long value = scratch();
    Native.putLong(value, 0);
    return Handles.pointerAttribute(value, IS_MANAGED, address) == CudaResult.SUCCESS
        && Native.getInt(value) != 0;
  }

  /**
   * Whether it may while kernels run: on the device of the current context. A runtime asks for a
   * library's variables before it has a context: then on all devices.
   */
  private boolean processorMayUseManaged() {
    long value = scratch();
    int result = Handles.ask(Handles.CONTEXT_DEVICE, value);
    if (result == CudaResult.SUCCESS) {
      return processorMayUseManaged(Native.getInt(value));
    }
    if (result != CudaResult.INVALID_CONTEXT || cuDeviceGetCount(value) != CudaResult.SUCCESS) {
      return false;
    }
    int devices = Native.getInt(value);
    return devices > 0 && IntStream.range(0, devices).allMatch(this::processorMayUseManaged);
  }

  private boolean processorMayUseManaged(int device) {
    long value = scratch();
    return cuDeviceGetAttribute(value, CONCURRENT_MANAGED_ACCESS, device) == CudaResult.SUCCESS
        && Native.getInt(value) != 0;
  }

  /**
   * The processor reads and writes it, whether kernels run or not; where it may not, none is had.
   */
  @Override
  public int outboardPagesAllocate(long address, long bytes) {
    if (!processorMayUseManaged()) {
      return CudaResult.NOT_SUPPORTED;
    }
    if (pages.isFull()) {
      return CudaResult.OUT_OF_MEMORY;
    }
    int result = allocatePages(address, bytes);
    if (result == CudaResult.SUCCESS) {
      long allocated = Native.getLong(address);
      long first = (allocated + PAGE - 1) & -PAGE;
      pages.addManaged(first, allocated, bytes);
      Native.putLong(address, first);
    }
    return result;
  }

  /** The driver packs small pieces, and a page of the program must not hold parts of two. */
  private int allocatePages(long address, long bytes) {
    long whole = (bytes + PAGE - 1) & -PAGE;
    int result = Handles.allocateManaged(address, whole);
    if (result != CudaResult.SUCCESS || Native.getLong(address) % PAGE == 0) {
      return result;
    }
    result = super.cuMemFree_v2(Native.getLong(address));
    return result == CudaResult.SUCCESS ? Handles.allocateManaged(address, whole + PAGE) : result;
  }

  /** A context that is lost has its memory all the same. */
  @Override
  public int outboardPagesLoad(
      long data, long bytes, long addresses, long sizes, int count, long context) {
    PageRuns runs = new PageRuns(addresses, sizes, count);
    if (data == 0 || !runs.have(bytes)) {
      return CudaResult.INVALID_VALUE;
    }
    long before = currentContext();
    int entered = cuCtxSetCurrent(context);
    if (entered == CudaResult.SUCCESS && context != 0) {
      int unusedWait = cuCtxSynchronize();
    }
    int result = pages.load(data, runs);
    int unusedReturn = cuCtxSetCurrent(before);
    return result;
  }

  @Override
  public int outboardPagesStore(long address, long data, long bytes) {
    return pages.store(address, data, bytes);
  }

  @Override
  public int cuMemFree_v2(long pointer) {
    return pages.end(pointer, super::cuMemFree_v2);
  }

  @Override
  public int cuCtxDestroy_v2(long context) {
    pages.leaveContexts();
    return super.cuCtxDestroy_v2(context);
  }

  @Override
  public int cuDevicePrimaryCtxReset_v2(int device) {
    pages.leaveContexts();
    return super.cuDevicePrimaryCtxReset_v2(device);
  }

  @Override
  public int cuDevicePrimaryCtxRelease_v2(int device) {
    pages.leaveContexts();
    return super.cuDevicePrimaryCtxRelease_v2(device);
  }

  /** A stream of the current context; 0 if it cannot be had. */
  long newStream(int flags) {
    long stream = scratch();
    return cuStreamCreate(stream, flags) == CudaResult.SUCCESS ? Native.getLong(stream) : 0;
  }

  @Override
  public int outboardManagedUnmap(long address) {
    return pages.end(address, Handles::unregister);
  }

  /** The vendor's function waits for what uses the memory. */
  @Override
  public int outboardHostUnmap(long address) {
    return Handles.unregister(address);
  }

  @Override
  public int outboardCopyFromHost(
      long destination, long source, long bytes, long stream, long done) {
    int result = cuMemcpyHtoDAsync_v2(destination, source, bytes, stream);
    return result == CudaResult.SUCCESS && done != 0 ? cuStreamSynchronize(stream) : result;
  }

  @Override
  public int outboardCopyToHost(long destination, long source, long bytes, long stream, long done) {
    int result = cuMemcpyDtoHAsync_v2(destination, source, bytes, stream);
    return result == CudaResult.SUCCESS && done != 0 ? cuStreamSynchronize(stream) : result;
  }

  @Override
  public int outboardFunctionName(long name, int length, long function) {
    long text = scratch();
    int result = call(Handles.FUNCTION_NAME, text, loaded(function));
    if (result == CudaResult.SUCCESS && length > 0) {
      long from = Native.getLong(text);
      int at = 0;
      for (; at < length - 1 && Native.getByte(from + at) != 0; at++) {
        Native.putByte(name + at, Native.getByte(from + at));
      }
      Native.putByte(name + at, (byte) 0);
    }
    return result;
  }

  /** Access descriptions are not carried: they lie in this process. */
  @Override
  public int cuGraphMemAllocNodeGetParams(long node, long allocation) {
    int result = super.cuGraphMemAllocNodeGetParams(node, allocation);
    if (result == CudaResult.SUCCESS) {
      Native.putLong(allocation + AllocationNode.ACCESS, 0);
      Native.putLong(allocation + AllocationNode.ACCESS_COUNT, 0);
    }
    return result;
  }

  /**
   * A function that an enumeration found is loaded by its first use, a launch for one; until then
   * the driver tells nothing of it (CUDA Driver API, cuModuleEnumerateFunctions). The program asks
   * for these facts because it launches.
   */
  @Override
  public int outboardFunctionFacts(long facts, long function) {
    long loaded = loaded(function);
    int result = factsOf(loaded, facts);
    if (result == CudaResult.FUNCTION_NOT_LOADED) {
      int load = cuFuncLoad(loaded);
      return load == CudaResult.SUCCESS ? factsOf(loaded, facts) : load;
    }
    return result;
  }

  private int factsOf(long loaded, long facts) {
    long offset = scratch();
    int count = 0;
    int bytes = 0;
    while (cuFuncGetParamInfo(loaded, count, offset, offset + 8) == CudaResult.SUCCESS) {
      int start = (int) Native.getLong(offset);
      int size = (int) Native.getLong(offset + 8);
      if (count < FunctionFacts.LAYOUT) {
        long entry = facts + FunctionFacts.LAYOUT_VALUES + 8L * count;
        Native.putInt(entry, start);
        Native.putInt(entry + 4, size);
      }
      bytes = Math.max(bytes, start + size);
      count++;
    }
    Native.putInt(facts, count);
    Native.putInt(facts + FunctionFacts.PARAMETER_BYTES, bytes);
    int result = cuFuncGetAttribute(facts + FunctionFacts.MAX_THREADS, MAX_THREADS, loaded);
    return result == CudaResult.SUCCESS
        ? cuFuncGetAttribute(facts + FunctionFacts.SHARED_BYTES, SHARED_BYTES, loaded)
        : result;
  }

  @Override
  public int outboardMemcpy3D(long copy, long stream) {
    return call(Handles.MEMCPY_3D_ASYNC, copy, stream);
  }

  @Override
  public int outboardArrayWrite(
      long array,
      long x,
      long y,
      long z,
      long width,
      long height,
      long depth,
      long source,
      long bytes,
      long stream) {
    if (!Memcpy3D.holds(bytes, width, height, depth)) {
      return CudaResult.INVALID_VALUE;
    }
    long copy = box(width, height, depth);
    packed(copy, source, width, height);
    place(copy + Memcpy3D.SIDE_BYTES, array, x, y, z);
    return copyNow(copy, stream);
  }

  @Override
  public int outboardArrayRead(
      long destination,
      long bytes,
      long array,
      long x,
      long y,
      long z,
      long width,
      long height,
      long depth,
      long stream) {
    if (!Memcpy3D.holds(bytes, width, height, depth)) {
      return CudaResult.INVALID_VALUE;
    }
    long copy = box(width, height, depth);
    place(copy, array, x, y, z);
    packed(copy + Memcpy3D.SIDE_BYTES, destination, width, height);
    return copyNow(copy, stream);
  }

  /** A driver takes rows of pageable memory at the call, as it takes those of a line. */
  @Override
  public int outboardRowsWrite(
      long destination, long pitch, long width, long height, long source, long bytes, long stream) {
    if (!Memcpy3D.holds(bytes, width, height, 1)) {
      return CudaResult.INVALID_VALUE;
    }
    long copy = box(width, height, 1);
    packed(copy, source, width, height);
    long target = copy + Memcpy3D.SIDE_BYTES;
    Native.putInt(target + Memcpy3D.TYPE, MEMORY_TYPE_DEVICE);
    Native.putLong(target + Memcpy3D.DEVICE_ADDRESS, destination);
    Native.putLong(target + Memcpy3D.PITCH, pitch);
    Native.putLong(target + Memcpy3D.ROWS, height);
    return call(Handles.MEMCPY_3D_ASYNC, copy, stream);
  }

  /** A copy of a box, without its sides. */
  private long box(long width, long height, long depth) {
    long copy = scratch();
    Native.fill(copy, Memcpy3D.BYTES, (byte) 0);
    Native.putLong(copy + Memcpy3D.EXTENT, width);
    Native.putLong(copy + Memcpy3D.EXTENT + 8, height);
    Native.putLong(copy + Memcpy3D.EXTENT + 16, depth);
    return copy;
  }

  private static void packed(long side, long address, long width, long height) {
    Native.putInt(side + Memcpy3D.TYPE, Memcpy3D.HOST);
    Native.putLong(side + Memcpy3D.HOST_ADDRESS, address);
    Native.putLong(side + Memcpy3D.PITCH, width);
    Native.putLong(side + Memcpy3D.ROWS, height);
  }

  private static void place(long side, long array, long x, long y, long z) {
    Native.putLong(side, x);
    Native.putLong(side + 8, y);
    Native.putLong(side + 16, z);
    Native.putInt(side + Memcpy3D.TYPE, MEMORY_TYPE_ARRAY);
    Native.putLong(side + Memcpy3D.ARRAY_VALUE, array);
  }

  /** The bytes are a payload's, which ends with the call. */
  private int copyNow(long copy, long stream) {
    int result = call(Handles.MEMCPY_3D_ASYNC, copy, stream);
    return result == CudaResult.SUCCESS ? cuStreamSynchronize(stream) : result;
  }

  @Override
  public int outboardLinkCreate(long link) {
    Native.putLong(link, links.create());
    return VendorLink.isPossible() ? CudaResult.SUCCESS : CudaResult.NOT_SUPPORTED;
  }

  @Override
  public int outboardLinkAddData(long link, int type, long data, long bytes, long name) {
    return links.add(link, type, data, bytes, name);
  }

  @Override
  public int outboardLinkComplete(long link, long bytes) {
    return links.complete(link, bytes);
  }

  @Override
  public int outboardLinkLog(long link, long text, long bytes) {
    return links.log(link, text, bytes);
  }

  @Override
  public int outboardLinkImage(long link, long to, long offset, long bytes) {
    return links.image(link, to, offset, bytes);
  }

  @Override
  public int cuLinkDestroy(long link) {
    return links.destroy(link);
  }

  /**
   * Bound when the first of them is called; a class of its own so that they are constants to the
   * compiler.
   */
  private static final class Handles {
    static final MethodHandle MODULE_LOAD_DATA = bind("cuModuleLoadData", JAVA_LONG, JAVA_LONG);
    static final MethodHandle LIBRARY_LOAD_DATA =
        bind(
            "cuLibraryLoadData",
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_INT,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_INT);
    static final MethodHandle LAUNCH_KERNEL =
        bind(
            "cuLaunchKernel",
            JAVA_LONG,
            JAVA_INT,
            JAVA_INT,
            JAVA_INT,
            JAVA_INT,
            JAVA_INT,
            JAVA_INT,
            JAVA_INT,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG);
    static final MethodHandle LAUNCH_COOPERATIVE =
        bind(
            "cuLaunchCooperativeKernel",
            JAVA_LONG,
            JAVA_INT,
            JAVA_INT,
            JAVA_INT,
            JAVA_INT,
            JAVA_INT,
            JAVA_INT,
            JAVA_INT,
            JAVA_LONG,
            JAVA_LONG);
    static final MethodHandle LAUNCH_CONFIGURED =
        bind("cuLaunchKernelEx", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    static final MethodHandle MEMCPY_2D_ASYNC = bind("cuMemcpy2DAsync_v2", JAVA_LONG, JAVA_LONG);
    static final MethodHandle MEMCPY_3D_ASYNC = bind("cuMemcpy3DAsync_v2", JAVA_LONG, JAVA_LONG);
    static final MethodHandle HOST_REGISTER =
        bind("cuMemHostRegister_v2", JAVA_LONG, JAVA_LONG, JAVA_INT);
    static final MethodHandle HOST_UNREGISTER = bind("cuMemHostUnregister", JAVA_LONG);
    static final MethodHandle HOST_POINTER =
        bind("cuMemHostGetDevicePointer_v2", JAVA_LONG, JAVA_LONG, JAVA_INT);
    static final MethodHandle ALLOCATE_MANAGED =
        bind("cuMemAllocManaged", JAVA_LONG, JAVA_LONG, JAVA_INT);
    static final MethodHandle FUNCTION_NAME = bind("cuFuncGetName", JAVA_LONG, JAVA_LONG);

    static final MethodHandle CONTEXT_DEVICE = bind("cuCtxGetDevice", JAVA_LONG);
    static final MethodHandle CURRENT_CONTEXT = bind("cuCtxGetCurrent", JAVA_LONG);
    static final MethodHandle POINTER_ATTRIBUTE =
        bind("cuPointerGetAttribute", JAVA_LONG, JAVA_INT, JAVA_LONG);

    /** Of a function that writes what it knows. */
    static int ask(MethodHandle function, long to) {
      try {
        return (int) function.invokeExact(to);
      } catch (Throwable e) {
        throw new AssertionError("a native function does not throw", e);
      }
    }

    static int pointerAttribute(long value, int attribute, long pointer) {
      try {
        return (int) POINTER_ATTRIBUTE.invokeExact(value, attribute, pointer);
      } catch (Throwable e) {
        throw new AssertionError("a native function does not throw", e);
      }
    }

    static int register(long address, long bytes, int flags) {
      try {
        return (int) HOST_REGISTER.invokeExact(address, bytes, flags);
      } catch (Throwable e) {
        throw new AssertionError("a native function does not throw", e);
      }
    }

    static int unregister(long address) {
      try {
        return (int) HOST_UNREGISTER.invokeExact(address);
      } catch (Throwable e) {
        throw new AssertionError("a native function does not throw", e);
      }
    }

    static int allocateManaged(long address, long bytes) {
      try {
        return (int) ALLOCATE_MANAGED.invokeExact(address, bytes, ATTACH_GLOBAL);
      } catch (Throwable e) {
        throw new AssertionError("a native function does not throw", e);
      }
    }

    static int devicePointer(long device, long address) {
      try {
        return (int) HOST_POINTER.invokeExact(device, address, 0);
      } catch (Throwable e) {
        throw new AssertionError("a native function does not throw", e);
      }
    }
  }
}
