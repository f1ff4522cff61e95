// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.quota;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.image.ImageMemory;
import io.outboard.wire.Native;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/**
 * Keeps a lease to its memory also where a call names no bytes: memory that modules and libraries
 * take with their variables, contexts, and the local memory and buffers that contexts have by their
 * limits. A call that would exceed the lease gets {@code CUDA_ERROR_OUT_OF_MEMORY}, and is undone.
 *
 * <p>The need of an image is taken before the image is loaded, so that no two loads can both take
 * the rest. Needs that no call states are read afterwards, where the device tells how much this
 * process holds ({@link DriverMemory}). Where it does not, the images count alone, those that
 * cannot be read are refused, and contexts are not counted but for what their limits were raised
 * by.
 */
public final class DriverQuota extends ContextDevices {
  /** {@code CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES}. */
  private static final int LOCAL_BYTES = 3;

  private static final String UNREADABLE =
      "a module is refused: the lease limits memory, the variables of its image cannot be read, and"
          + " NVML does not tell what this worker holds. Start the backend in the host's process"
          + " ids (docker run --pid=host), or lease without --memory";

  private final MemoryQuota named;
  private final Consumer<String> tell;
  private final MemoryCredit credit;
  private final ProcessMemory process;
  private final DriverMemory rest;
  private final ModuleMemories modules;
  private final ContextMemories contexts;
  private final SeenFunctions seen = new SeenFunctions();

  /**
   * Counts beside {@code named}, to which calls go on.
   *
   * @param tell takes lines for the user
   */
  public DriverQuota(
      MemoryQuota named, MemoryCredit credit, ProcessMemory process, Consumer<String> tell) {
    super(named);
    this.named = named;
    this.tell = tell;
    this.credit = credit;
    this.process = process;
    this.rest = new DriverMemory(process, credit);
    this.modules = new ModuleMemories(credit);
    this.contexts = new ContextMemories(named, credit);
  }

  @Override
  public void ended(long context) {
    modules.forget(context);
    contexts.forget(context);
    seen.clear();
    rest.shrunk();
  }

  @Override
  public int cuCtxCreate_v2(long context, int flags, int device) {
    int result = super.cuCtxCreate_v2(context, flags, device);
    if (result == CudaResult.SUCCESS && !rest.grown(device)) {
      int unused = super.cuCtxDestroy_v2(Native.getLong(context));
      return CudaResult.OUT_OF_MEMORY;
    }
    return result;
  }

  @Override
  public int cuDevicePrimaryCtxRetain(long context, int device) {
    boolean active = PrimaryContexts.isActive(delegate, device);
    int result = super.cuDevicePrimaryCtxRetain(context, device);
    if (result == CudaResult.SUCCESS && !active && !rest.grown(device)) {
      int unused = super.cuDevicePrimaryCtxRelease_v2(device);
      return CudaResult.OUT_OF_MEMORY;
    }
    return result;
  }

  /** The memory of an image; empty where it must not be loaded, as it would not be known. */
  private OptionalLong said(long image, long bytes, int gpu) {
    if (image == 0 || bytes <= 0) {
      return OptionalLong.of(0);
    }
    boolean told = process.bytes(gpu).isPresent();
    OptionalLong says = ImageMemory.of(Native.MEMORY.asSlice(image, bytes), !told);
    if (says.isEmpty() && !told) {
      tell.accept(UNREADABLE);
    }
    return says.isEmpty() && told ? OptionalLong.of(0) : says;
  }

  @Override
  public int cuModuleLoadData(long module, long image, long bytes) {
    int gpu = device();
    OptionalLong says = said(image, bytes, gpu);
    if (says.isEmpty() || !named.take(gpu, says.getAsLong())) {
      return CudaResult.OUT_OF_MEMORY;
    }
    int result = moving(() -> delegate.cuModuleLoadData(module, image, bytes));
    if (result != CudaResult.SUCCESS) {
      credit.give(gpu, says.getAsLong());
      return result;
    }
    modules.loaded(Native.getLong(module), gpu, says.getAsLong(), context());
    if (!rest.grown(gpu)) {
      int unused = cuModuleUnload(Native.getLong(module));
      return CudaResult.OUT_OF_MEMORY;
    }
    return result;
  }

  private int moving(IntSupplier call) {
    credit.begins();
    int result = call.getAsInt();
    credit.ends();
    return result;
  }

  @Override
  public int cuModuleUnload(long module) {
    return unloaded(moving(() -> modules.unload(module, () -> delegate.cuModuleUnload(module))));
  }

  /** Of no context yet: the image's memory is taken in each one when it is first used there. */
  @Override
  public int cuLibraryLoadData(long library, long code, long bytes) {
    int gpu = device();
    OptionalLong says = said(code, bytes, gpu);
    if (says.isEmpty()) {
      return CudaResult.OUT_OF_MEMORY;
    }
    int result = delegate.cuLibraryLoadData(library, code, bytes);
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    modules.made(Native.getLong(library), says);
    if (!rest.grown(gpu)) {
      int unused = cuLibraryUnload(Native.getLong(library));
      return CudaResult.OUT_OF_MEMORY;
    }
    return result;
  }

  @Override
  public int cuLibraryUnload(long library) {
    return unloaded(moving(() -> modules.end(library, () -> delegate.cuLibraryUnload(library))));
  }

  private int unloaded(int result) {
    if (result == CudaResult.SUCCESS) {
      seen.clear();
      rest.shrunk();
    }
    return result;
  }

  /**
   * A library is about to be used in the current context, perhaps for the first time. Once it is
   * loaded there it stays, and is counted, until it is unloaded everywhere.
   */
  private int using(long library, IntSupplier call) {
    long context = context();
    if (context == 0 || !modules.isNew(library, context)) {
      return call.getAsInt();
    }
    int gpu = device();
    long bytes = modules.bytes(library).orElse(0);
    if (!named.take(gpu, bytes)) {
      return CudaResult.OUT_OF_MEMORY;
    }
    int result = moving(call);
    if (result != CudaResult.SUCCESS && result != CudaResult.NOT_FOUND) {
      credit.give(gpu, bytes);
      return result;
    }
    modules.loadedInto(library, gpu, bytes, context);
    return rest.grown(gpu) ? result : CudaResult.OUT_OF_MEMORY;
  }

  @Override
  public int cuLibraryGetModule(long module, long library) {
    return using(library, () -> delegate.cuLibraryGetModule(module, library));
  }

  @Override
  public int cuLibraryGetGlobal(long pointer, long bytes, long library, long name) {
    return using(library, () -> delegate.cuLibraryGetGlobal(pointer, bytes, library, name));
  }

  @Override
  public int cuLibraryGetManaged(long pointer, long bytes, long library, long name) {
    return using(library, () -> delegate.cuLibraryGetManaged(pointer, bytes, library, name));
  }

  @Override
  public int outboardLibraryVariable(
      long pointer, long bytes, long sharing, long library, long name, int managed) {
    return using(
        library,
        () -> delegate.outboardLibraryVariable(pointer, bytes, sharing, library, name, managed));
  }

  @Override
  public int cuKernelGetFunction(long function, long kernel) {
    return using(modules.libraryOf(kernel), () -> delegate.cuKernelGetFunction(function, kernel));
  }

  @Override
  public int cuFuncGetModule(long module, long function) {
    return using(modules.libraryOf(function), () -> delegate.cuFuncGetModule(module, function));
  }

  @Override
  public int cuFuncLoad(long function) {
    return using(modules.libraryOf(function), () -> delegate.cuFuncLoad(function));
  }

  @Override
  public int cuLibraryGetKernel(long kernel, long library, long name) {
    int result = delegate.cuLibraryGetKernel(kernel, library, name);
    if (result == CudaResult.SUCCESS) {
      modules.kernel(Native.getLong(kernel), library);
    }
    return result;
  }

  @Override
  public int outboardLibraryKernel(
      long kernel, long facts, long attributes, long library, long name, int device) {
    int result = delegate.outboardLibraryKernel(kernel, facts, attributes, library, name, device);
    if (result == CudaResult.SUCCESS) {
      modules.kernel(Native.getLong(kernel), library);
    }
    return result;
  }

  @Override
  public int cuLibraryEnumerateKernels(long kernels, int count, long library) {
    if (kernels != 0 && count > 0) {
      Native.fill(kernels, (long) count * Long.BYTES, (byte) 0);
    }
    int result = delegate.cuLibraryEnumerateKernels(kernels, count, library);
    for (int i = 0; result == CudaResult.SUCCESS && i < count; i++) {
      modules.kernel(Native.getLong(kernels + (long) i * Long.BYTES), library);
    }
    return result;
  }

  @Override
  public int cuCtxSetLimit(int limit, long value) {
    if (context() == 0 || !ContextMemories.counts(limit)) {
      return delegate.cuCtxSetLimit(limit, value);
    }
    int gpu = device();
    long more = contexts.more(context(), gpu, limit, value);
    if (more > 0 && !named.take(gpu, more)) {
      return CudaResult.OUT_OF_MEMORY;
    }
    int result = moving(() -> delegate.cuCtxSetLimit(limit, value));
    if (result != CudaResult.SUCCESS) {
      credit.give(gpu, Math.max(0, more));
      return result;
    }
    contexts.counted(context(), gpu, limit, value, Math.max(0, more));
    return rest.grown(gpu) ? result : CudaResult.OUT_OF_MEMORY;
  }

  /** Before a function is launched: the first time in a context this may take memory. */
  private int admit(long function) {
    return seen.has(function, context()) ? CudaResult.SUCCESS : first(function);
  }

  private int first(long function) {
    if (function == 0 || context() == 0) {
      return CudaResult.SUCCESS; // which the driver refuses
    }
    int result = using(modules.libraryOf(function), () -> local(function));
    if (result == CudaResult.SUCCESS) {
      seen.add(function, context());
    }
    return result;
  }

  private int local(long function) {
    int gpu = device();
    long bytes = localBytes(function, gpu);
    long more = contexts.more(context(), gpu, ContextMemories.STACK, bytes);
    if (more == 0) {
      return CudaResult.SUCCESS;
    }
    if (!named.take(gpu, more)) {
      return CudaResult.OUT_OF_MEMORY;
    }
    contexts.counted(context(), gpu, ContextMemories.STACK, bytes, more);
    return CudaResult.SUCCESS;
  }

  /** Local memory of a thread. */
  private long localBytes(long function, int gpu) {
    try (NativeBuffer buffer = new NativeBuffer(Integer.BYTES)) {
      int result =
          modules.isKernel(function)
              ? delegate.cuKernelGetAttribute(buffer.address(), LOCAL_BYTES, function, gpu)
              : delegate.cuFuncGetAttribute(buffer.address(), LOCAL_BYTES, function);
      return result == CudaResult.SUCCESS ? Native.getInt(buffer.address()) : 0;
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
    int refused = admit(function);
    return refused != CudaResult.SUCCESS
        ? refused
        : delegate.cuLaunchKernel(
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
    int refused = admit(function);
    return refused != CudaResult.SUCCESS
        ? refused
        : delegate.cuLaunchCooperativeKernel(
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
  }

  @Override
  public int outboardLaunchKernelEx(
      long config, long function, long parameters, int parameterBytes) {
    int refused = admit(function);
    return refused != CudaResult.SUCCESS
        ? refused
        : delegate.outboardLaunchKernelEx(config, function, parameters, parameterBytes);
  }

  /** The function of a kernel's node is its first member. */
  private int admitNode(long launch) {
    return launch == 0 ? CudaResult.SUCCESS : admit(Native.getLong(launch));
  }

  @Override
  public int outboardGraphAddKernelNode(
      long node,
      long graph,
      long dependencies,
      long count,
      long launch,
      long parameters,
      int parameterBytes) {
    int refused = admitNode(launch);
    return refused != CudaResult.SUCCESS
        ? refused
        : delegate.outboardGraphAddKernelNode(
            node, graph, dependencies, count, launch, parameters, parameterBytes);
  }

  @Override
  public int outboardGraphKernelNodeSetParams(
      long node, long launch, long parameters, int parameterBytes) {
    int refused = admitNode(launch);
    return refused != CudaResult.SUCCESS
        ? refused
        : delegate.outboardGraphKernelNodeSetParams(node, launch, parameters, parameterBytes);
  }

  @Override
  public int outboardGraphExecKernelNodeSetParams(
      long executable, long node, long launch, long parameters, int parameterBytes) {
    int refused = admitNode(launch);
    return refused != CudaResult.SUCCESS
        ? refused
        : delegate.outboardGraphExecKernelNodeSetParams(
            executable, node, launch, parameters, parameterBytes);
  }

  /** With what code and graphs have taken meanwhile. */
  @Override
  public int cuMemGetInfo_v2(long free, long total) {
    boolean unused = rest.grown(device());
    return delegate.cuMemGetInfo_v2(free, total);
  }
}
