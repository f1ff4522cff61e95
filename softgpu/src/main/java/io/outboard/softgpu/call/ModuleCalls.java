// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.call;

import io.outboard.cuda.CudaModules;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.FunctionFacts;
import io.outboard.cuda.vendor.VariableSharing;
import io.outboard.ptx.PtxModule;
import io.outboard.ptx.host.PtxParameter;
import io.outboard.softgpu.base.Handled;
import io.outboard.softgpu.base.Texts;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.device.PrimaryContext;
import io.outboard.softgpu.image.ImageException;
import io.outboard.softgpu.memory.Allocation;
import io.outboard.softgpu.module.Launchable;
import io.outboard.softgpu.module.Libraries;
import io.outboard.softgpu.module.LibraryKernel;
import io.outboard.softgpu.module.LoadedFunction;
import io.outboard.softgpu.module.LoadedLibrary;
import io.outboard.softgpu.module.LoadedModule;
import io.outboard.softgpu.module.ModuleLoader;
import io.outboard.softgpu.module.Variables;
import io.outboard.softgpu.profile.FunctionFigures;
import io.outboard.softgpu.share.PlacedMemory;
import io.outboard.wire.Native;
import java.util.List;
import java.util.Map;

/** Modules, libraries, functions and kernels. */
public final class ModuleCalls implements CudaModules {
  /** {@code CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE}. */
  private static final int LAST_BANK_CONFIG = 2;

  /** {@code CUfunc_cache} has the values 0 to 3. */
  private static final int LAST_CACHE_CONFIG = 3;

  private final Machine machine;
  private final Libraries libraries;
  private final PlacedMemory placed;

  public ModuleCalls(Machine machine, Libraries libraries, PlacedMemory placed) {
    this.machine = machine;
    this.libraries = libraries;
    this.placed = placed;
  }

  @Override
  public int cuModuleLoadData(long module, long image, long bytes) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    if (module == 0 || image == 0 || bytes <= 0) {
      return CudaResult.INVALID_VALUE;
    }
    try {
      ModuleLoader loader = new ModuleLoader(machine);
      return load(module, loader.compile(loader.text(image, bytes)), context);
    } catch (ImageException unusable) {
      return unusable.result();
    }
  }

  private static int load(long output, PtxModule code, Context context) {
    Map<String, Allocation> variables = Variables.place(code, context);
    if (variables == null) {
      return CudaResult.OUT_OF_MEMORY;
    }
    LoadedModule module = new LoadedModule(context, code, variables);
    if (!module.adopt()) {
      module.unload();
      return CudaResult.OUT_OF_MEMORY;
    }
    Native.putLong(output, module.handle());
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuModuleUnload(long module) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    LoadedModule ended = machine.handles().get(module, LoadedModule.class);
    if (ended == null || ended.library() != null) {
      return CudaResult.INVALID_HANDLE;
    }
    ended.context().order().awaitAll();
    ended.unload();
    return ended.context().error();
  }

  @Override
  public int cuModuleGetFunction(long function, long module, long name) {
    LoadedModule searched = machine.handles().get(module, LoadedModule.class);
    int result = check(searched, function != 0 && name != 0);
    return result == CudaResult.SUCCESS
        ? found(function, searched.function(Texts.read(name)))
        : result;
  }

  @Override
  public int cuModuleGetGlobal_v2(long pointer, long bytes, long module, long name) {
    LoadedModule searched = machine.handles().get(module, LoadedModule.class);
    int result = check(searched, name != 0);
    return result == CudaResult.SUCCESS ? variable(pointer, bytes, searched, name) : result;
  }

  private static int variable(long pointer, long bytes, LoadedModule module, long name) {
    Allocation variable = module.variable(Texts.read(name));
    if (variable == null) {
      return CudaResult.NOT_FOUND;
    }
    if (pointer != 0) {
      Native.putLong(pointer, variable.address());
    }
    if (bytes != 0) {
      Native.putLong(bytes, variable.bytes());
    }
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuModuleGetFunctionCount(long count, long module) {
    LoadedModule counted = machine.handles().get(module, LoadedModule.class);
    int result = check(counted, count != 0);
    if (result == CudaResult.SUCCESS) {
      Native.putInt(count, counted.functionCount());
    }
    return result;
  }

  @Override
  public int cuModuleEnumerateFunctions(long functions, int count, long module) {
    LoadedModule listed = machine.handles().get(module, LoadedModule.class);
    int result = check(listed, functions != 0);
    return result == CudaResult.SUCCESS ? list(functions, count, listed.functions()) : result;
  }

  private static int list(long output, int count, Iterable<? extends Handled> objects) {
    int written = 0;
    for (Handled object : objects) {
      if (Integer.compareUnsigned(written, count) < 0) {
        Native.putLong(output + 8L * written++, object.handle());
      }
    }
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuLibraryLoadData(long library, long code, long bytes) {
    if (!machine.isInitialised()) {
      return CudaResult.NOT_INITIALIZED;
    }
    if (library == 0 || code == 0 || bytes <= 0) {
      return CudaResult.INVALID_VALUE;
    }
    try {
      ModuleLoader loader = new ModuleLoader(machine);
      String text = loader.text(code, bytes);
      return publish(
          library, new LoadedLibrary(text, loader.compile(text), machine.device(0).profile()));
    } catch (ImageException unusable) {
      return unusable.result();
    }
  }

  private int publish(long output, LoadedLibrary library) {
    boolean added = machine.handles().add(library);
    for (LibraryKernel kernel : library.kernels()) {
      added = added && machine.handles().add(kernel);
    }
    if (!added) {
      library.unload(machine);
      return CudaResult.OUT_OF_MEMORY;
    }
    libraries.add(library);
    Native.putLong(output, library.handle());
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuLibraryUnload(long library) {
    LoadedLibrary ended = machine.handles().get(library, LoadedLibrary.class);
    int result = check(ended, true);
    if (result == CudaResult.SUCCESS) {
      libraries.remove(ended);
      ended.unload(machine);
      ended.letGo();
    }
    return result;
  }

  @Override
  public int cuLibraryGetKernel(long kernel, long library, long name) {
    LoadedLibrary searched = machine.handles().get(library, LoadedLibrary.class);
    int result = check(searched, kernel != 0 && name != 0);
    return result == CudaResult.SUCCESS ? found(kernel, searched.kernel(Texts.read(name))) : result;
  }

  @Override
  public int cuLibraryGetModule(long module, long library) {
    LoadedLibrary loaded = machine.handles().get(library, LoadedLibrary.class);
    int result = checkInContext(loaded, module != 0);
    return result == CudaResult.SUCCESS ? made(module, loaded.in(machine.current())) : result;
  }

  @Override
  public int cuLibraryGetGlobal(long pointer, long bytes, long library, long name) {
    LoadedLibrary searched = machine.handles().get(library, LoadedLibrary.class);
    int result = checkInContext(searched, name != 0);
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    LoadedModule module = searched.in(machine.current());
    return module == null ? CudaResult.OUT_OF_MEMORY : variable(pointer, bytes, module, name);
  }

  /** Managed variables are the library's: a thread finds them without a context too. */
  @Override
  public int cuLibraryGetManaged(long pointer, long bytes, long library, long name) {
    LoadedLibrary searched = machine.handles().get(library, LoadedLibrary.class);
    boolean anywhere = machine.refusal() == CudaResult.INVALID_CONTEXT;
    int result = anywhere ? check(searched, name != 0) : checkInContext(searched, name != 0);
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    LoadedModule module = anywhere ? anywhere(searched) : searched.in(machine.current());
    if (module == null) {
      return CudaResult.OUT_OF_MEMORY;
    }
    Allocation found = module.variable(Texts.read(name));
    return found == null || found.kind() != Allocation.Kind.MANAGED_VARIABLE
        ? CudaResult.NOT_FOUND
        : variable(pointer, bytes, module, name);
  }

  /** Where it is loaded, else where programs most likely load it: the first primary context. */
  private LoadedModule anywhere(LoadedLibrary library) {
    LoadedModule known = library.anywhere();
    if (known != null) {
      return known;
    }
    PrimaryContext primary = machine.device(0).primary();
    library.hold(primary);
    return library.in(primary);
  }

  @Override
  public int outboardModuleVariable(
      long pointer, long bytes, long sharing, long module, long name) {
    return VariableSharing.inModule(this, pointer, bytes, sharing, module, name, placed::sharable);
  }

  @Override
  public int outboardLibraryVariable(
      long pointer, long bytes, long sharing, long library, long name, int managed) {
    return VariableSharing.inLibrary(
        this, pointer, bytes, sharing, library, name, managed, placed::sharable);
  }

  @Override
  public int cuLibraryGetKernelCount(long count, long library) {
    LoadedLibrary counted = machine.handles().get(library, LoadedLibrary.class);
    int result = check(counted, count != 0);
    if (result == CudaResult.SUCCESS) {
      Native.putInt(count, counted.kernels().size());
    }
    return result;
  }

  @Override
  public int cuLibraryEnumerateKernels(long kernels, int count, long library) {
    LoadedLibrary listed = machine.handles().get(library, LoadedLibrary.class);
    int result = check(listed, kernels != 0);
    return result == CudaResult.SUCCESS ? list(kernels, count, listed.kernels()) : result;
  }

  @Override
  public int cuKernelGetFunction(long function, long kernel) {
    LibraryKernel known = machine.handles().get(kernel, LibraryKernel.class);
    int result = checkInContext(known, function != 0);
    return result == CudaResult.SUCCESS ? made(function, known.in(machine.current())) : result;
  }

  @Override
  public int cuKernelGetLibrary(long library, long kernel) {
    LibraryKernel known = machine.handles().get(kernel, LibraryKernel.class);
    int result = check(known, library != 0);
    return result == CudaResult.SUCCESS ? found(library, known.library()) : result;
  }

  @Override
  public int cuKernelGetAttribute(long value, int attribute, long kernel, int device) {
    int result = machine.device(device) == null ? CudaResult.INVALID_DEVICE : CudaResult.SUCCESS;
    return result == CudaResult.SUCCESS ? getFigure(value, attribute, kernel) : result;
  }

  @Override
  public int cuKernelSetAttribute(int attribute, int value, long kernel, int device) {
    int result = machine.device(device) == null ? CudaResult.INVALID_DEVICE : CudaResult.SUCCESS;
    return result == CudaResult.SUCCESS ? setFigure(attribute, value, kernel) : result;
  }

  @Override
  public int cuKernelSetCacheConfig(long kernel, int config, int device) {
    int result = machine.device(device) == null ? CudaResult.INVALID_DEVICE : CudaResult.SUCCESS;
    return result == CudaResult.SUCCESS ? preferCache(kernel, config) : result;
  }

  @Override
  public int cuKernelGetParamInfo(long kernel, long index, long offset, long bytes) {
    return parameter(kernel, index, offset, bytes);
  }

  @Override
  public int cuFuncGetAttribute(long value, int attribute, long function) {
    return getFigure(value, attribute, function);
  }

  @Override
  public int cuFuncSetAttribute(long function, int attribute, int value) {
    return setFigure(attribute, value, function);
  }

  @Override
  public int cuFuncSetCacheConfig(long function, int config) {
    return preferCache(function, config);
  }

  @Override
  public int cuFuncGetModule(long module, long function) {
    Launchable launchable = machine.handles().get(function, Launchable.class);
    int result = checkInContext(launchable, module != 0);
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    LoadedFunction known = launchable.in(launchable.home(machine.current()));
    return known == null ? CudaResult.INVALID_HANDLE : found(module, known.module());
  }

  @Override
  public int cuFuncGetParamInfo(long function, long index, long offset, long bytes) {
    return parameter(function, index, offset, bytes);
  }

  @Override
  public int outboardFunctionName(long name, int length, long function) {
    Launchable known = machine.handles().get(function, Launchable.class);
    int result = check(known, name != 0 && length > 0);
    if (result == CudaResult.SUCCESS) {
      Texts.write(name, length, known.code().name());
    }
    return result;
  }

  @Override
  public int outboardFunctionFacts(long facts, long function) {
    Launchable known = machine.handles().get(function, Launchable.class);
    int result = check(known, facts != 0);
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    List<PtxParameter> parameters = known.parameters();
    Native.putInt(facts, parameters.size());
    Native.putInt(facts + FunctionFacts.PARAMETER_BYTES, known.code().parameterBytes());
    Native.putInt(facts + FunctionFacts.MAX_THREADS, known.figures().maxThreads());
    Native.putInt(facts + FunctionFacts.SHARED_BYTES, known.code().sharedBytes());
    for (int i = 0; i < FunctionFacts.LAYOUT; i++) {
      boolean exists = i < parameters.size();
      long layout = facts + FunctionFacts.LAYOUT_VALUES + 8L * i;
      Native.putInt(layout, exists ? parameters.get(i).offset() : 0);
      Native.putInt(layout + 4, exists ? parameters.get(i).size() : 0);
    }
    return CudaResult.SUCCESS;
  }

  private int getFigure(long value, int attribute, long function) {
    Launchable known = machine.handles().get(function, Launchable.class);
    int result = check(known, value != 0 && FunctionFigures.knows(attribute));
    if (result == CudaResult.SUCCESS) {
      Native.putInt(value, known.figures().get(attribute));
    }
    return result;
  }

  private int setFigure(int attribute, int value, long function) {
    Launchable known = machine.handles().get(function, Launchable.class);
    int result = check(known, true);
    return result == CudaResult.SUCCESS ? known.figures().set(attribute, value) : result;
  }

  private int preferCache(long function, int config) {
    Launchable known = machine.handles().get(function, Launchable.class);
    return check(known, config >= 0 && config <= LAST_CACHE_CONFIG);
  }

  private int parameter(long function, long index, long offset, long bytes) {
    Launchable known = machine.handles().get(function, Launchable.class);
    int result = check(known, offset != 0);
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    if (index < 0 || index >= known.parameters().size()) {
      return CudaResult.INVALID_VALUE;
    }
    PtxParameter parameter = known.parameters().get((int) index);
    Native.putLong(offset, parameter.offset());
    if (bytes != 0) {
      Native.putLong(bytes, parameter.size());
    }
    return CudaResult.SUCCESS;
  }

  /** Writes the handle of what was looked for. */
  private static int found(long output, Handled object) {
    if (object == null) {
      return CudaResult.NOT_FOUND;
    }
    Native.putLong(output, object.handle());
    return CudaResult.SUCCESS;
  }

  /** Writes the handle of what was loaded, where there was room for it. */
  private static int made(long output, Handled object) {
    return object == null ? CudaResult.OUT_OF_MEMORY : found(output, object);
  }

  private int check(Handled object, boolean valid) {
    if (!machine.isInitialised()) {
      return CudaResult.NOT_INITIALIZED;
    }
    if (object == null) {
      return CudaResult.INVALID_HANDLE;
    }
    return valid ? CudaResult.SUCCESS : CudaResult.INVALID_VALUE;
  }

  private int checkInContext(Handled object, boolean valid) {
    return machine.usable() == null ? machine.refusal() : check(object, valid);
  }

  /** Functions are compiled when they are first launched; to the program they are there. */
  @Override
  public int cuFuncIsLoaded(long state, long function) {
    int result = knownFunction(function);
    if (result == CudaResult.SUCCESS && state == 0) {
      return CudaResult.INVALID_VALUE;
    }
    if (result == CudaResult.SUCCESS) {
      Native.putInt(state, 1);
    }
    return result;
  }

  @Override
  public int cuFuncLoad(long function) {
    int result = knownFunction(function);
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    LoadedFunction loaded = machine.handles().get(function, Launchable.class).in(machine.current());
    return loaded != null && loaded.isRefused() ? CudaResult.NOT_SUPPORTED : result;
  }

  /** Shared memory has no banks here. */
  @Override
  public int cuFuncSetSharedMemConfig(long function, int config) {
    int result = knownFunction(function);
    return result == CudaResult.SUCCESS && (config < 0 || config > LAST_BANK_CONFIG)
        ? CudaResult.INVALID_VALUE
        : result;
  }

  private int knownFunction(long function) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    return machine.handles().get(function, Launchable.class) == null
        ? CudaResult.INVALID_HANDLE
        : CudaResult.SUCCESS;
  }
}
