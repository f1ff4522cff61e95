// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import static io.outboard.cuda.CudaKinds.FUNCTION;
import static io.outboard.cuda.CudaKinds.KERNEL;
import static io.outboard.cuda.CudaKinds.LIBRARY;
import static io.outboard.cuda.CudaKinds.MODULE;
import static io.outboard.spec.Need.INITIALIZED;
import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.cuda.struct.FunctionAttributes;
import io.outboard.cuda.struct.FunctionFacts;
import io.outboard.spec.Async;
import io.outboard.spec.Blocking;
import io.outboard.spec.CString;
import io.outboard.spec.Cached;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.DevicePointer;
import io.outboard.spec.Handle;
import io.outboard.spec.Handle.Life;
import io.outboard.spec.In;
import io.outboard.spec.Invalidates;
import io.outboard.spec.Local;
import io.outboard.spec.Ordinal;
import io.outboard.spec.Out;
import io.outboard.spec.Ready;
import io.outboard.spec.Resource;
import io.outboard.spec.Same;
import io.outboard.spec.Takes;
import io.outboard.wire.Native;

/** Modules, libraries, functions and kernels; CUDA Driver API, sections 6.10, 6.12 and 6.22. */
public interface CudaModules {
  /**
   * Loads a module into the current context from an image of {@code bytes} bytes: PTX text, a
   * device binary, or a container of several.
   */
  @Call(80)
  @Takes(value = Resource.MEMORY, decorated = true)
  @Blocking
  @Custom(
      value = "the length of the image",
      binding = true,
      prototype = "CUresult cuModuleLoadData(CUmodule *module, const void *image)")
  int cuModuleLoadData(
      @Out(LONG) @Handle(value = MODULE, life = Life.CREATE) long module,
      @In(bytes = "bytes") long image,
      long bytes);

  /** Unloads a module; its functions end with it. */
  @Call(81)
  @Blocking
  @Custom("managed variables, and answers that end with it")
  int cuModuleUnload(@Handle(value = MODULE, life = Life.DESTROY) long module);

  /** Finds a function by name. */
  @Call(82)
  @Custom("one call with the questions that follow")
  int cuModuleGetFunction(
      @Out(LONG) @Handle(value = FUNCTION, parent = "module") long function,
      @Handle(MODULE) long module,
      @CString long name);

  /** Finds a variable by name; either output may be null. */
  @Call(83)
  @Custom("the range of a variable")
  int cuModuleGetGlobal_v2(
      @Out(LONG) @DevicePointer long pointer,
      @Out(LONG) long bytes,
      @Handle(MODULE) long module,
      @CString long name);

  /** Number of functions of a module. */
  @Call(84)
  int cuModuleGetFunctionCount(@Out(INT) long count, @Handle(MODULE) long module);

  /** Writes the module's functions, at most {@code count}. */
  @Call(85)
  int cuModuleEnumerateFunctions(
      @Out(value = LONG, count = "count") @Handle(value = FUNCTION, parent = "module")
          long functions,
      int count,
      @Handle(MODULE) long module);

  /** Loads a library from an image of {@code bytes} bytes; it belongs to no context. */
  @Call(86)
  @Takes(value = Resource.MEMORY, decorated = true)
  @Blocking
  @Custom(
      value = "the length of the image, and options",
      binding = true,
      prototype =
          "CUresult cuLibraryLoadData(CUlibrary *library, const void *code, int *jitOptions, void"
              + " **jitValues, unsigned int jitCount, int *options, void **values, unsigned int"
              + " count)")
  int cuLibraryLoadData(
      @Out(LONG) @Handle(value = LIBRARY, life = Life.CREATE) long library,
      @In(bytes = "bytes") long code,
      long bytes);

  /** Unloads a library; its kernels end with it. */
  @Call(87)
  @Blocking
  @Custom("managed variables, and answers that end with it")
  int cuLibraryUnload(@Handle(value = LIBRARY, life = Life.DESTROY) long library);

  /** Finds a kernel by name. */
  @Call(88)
  @Custom("one call with the questions that follow")
  int cuLibraryGetKernel(
      @Out(LONG) @Handle(value = KERNEL, parent = "library") long kernel,
      @Handle(LIBRARY) long library,
      @CString long name);

  /** The library's module in the current context. */
  @Call(89)
  int cuLibraryGetModule(
      @Out(LONG) @Handle(value = MODULE, parent = "library") long module,
      @Handle(LIBRARY) long library);

  /** Finds a library's variable of the current context by name; either output may be null. */
  @Call(90)
  @Custom("the range of a variable")
  int cuLibraryGetGlobal(
      @Out(LONG) @DevicePointer long pointer,
      @Out(LONG) long bytes,
      @Handle(LIBRARY) long library,
      @CString long name);

  /** Number of kernels of a library. */
  @Call(91)
  int cuLibraryGetKernelCount(@Out(INT) long count, @Handle(LIBRARY) long library);

  /** Writes the library's kernels, at most {@code count}. */
  @Call(92)
  int cuLibraryEnumerateKernels(
      @Out(value = LONG, count = "count") @Handle(value = KERNEL, parent = "library") long kernels,
      int count,
      @Handle(LIBRARY) long library);

  /** The function of a kernel in the current context. */
  @Call(93)
  @Custom("the kernel of a function, until something is changed")
  int cuKernelGetFunction(
      @Out(LONG) @Handle(value = FUNCTION, parent = "kernel") long function,
      @Handle(KERNEL) long kernel);

  /** The library of a kernel. */
  @Call(94)
  int cuKernelGetLibrary(@Out(LONG) @Handle(LIBRARY) long library, @Handle(KERNEL) long kernel);

  /** One figure of a kernel on a device ({@code CUfunction_attribute}). */
  @Call(95)
  @Cached(until = "kernel")
  int cuKernelGetAttribute(
      @Out(INT) long value, int attribute, @Handle(KERNEL) long kernel, @Ordinal int device);

  /** Sets a figure of a kernel on a device. */
  @Call(96)
  @Async
  @Custom("a value that is posted only where it is surely right")
  int cuKernelSetAttribute(
      int attribute, int value, @Handle(KERNEL) long kernel, @Ordinal int device);

  /** Prefers a split of L1 and shared memory for a kernel. */
  @Call(97)
  @Invalidates("kernel")
  int cuKernelSetCacheConfig(@Handle(KERNEL) long kernel, int config, @Ordinal int device);

  /** Offset and size of a parameter of a kernel; past the last one an invalid value. */
  @Call(98)
  int cuKernelGetParamInfo(
      @Handle(KERNEL) long kernel, long index, @Out(LONG) long offset, @Out(LONG) long bytes);

  /** One figure of a function ({@code CUfunction_attribute}). */
  @Call(99)
  @Ready(INITIALIZED)
  @Cached(until = "function")
  int cuFuncGetAttribute(
      @Out(INT) long value, int attribute, @Handle({FUNCTION, KERNEL}) long function);

  /** Sets a figure of a function. */
  @Call(100)
  @Async
  @Custom("a value that is posted only where it is surely right")
  int cuFuncSetAttribute(@Handle({FUNCTION, KERNEL}) long function, int attribute, int value);

  /** Prefers a split of L1 and shared memory for a function. */
  @Call(101)
  @Invalidates("function")
  int cuFuncSetCacheConfig(@Handle({FUNCTION, KERNEL}) long function, int config);

  /** The module of a function. */
  @Call(102)
  int cuFuncGetModule(
      @Out(LONG) @Handle(MODULE) long module, @Handle({FUNCTION, KERNEL}) long function);

  /** Offset and size of a parameter of a function; past the last one an invalid value. */
  @Call(103)
  int cuFuncGetParamInfo(
      @Handle({FUNCTION, KERNEL}) long function,
      long index,
      @Out(LONG) long offset,
      @Out(LONG) long bytes);

  /**
   * Outboard's own: the name of a function or kernel, ended by NUL, of at most {@code length}
   * bytes.
   */
  @Call(104)
  @Custom(
      value =
          "the vendor's cuFuncGetName and cuKernelGetName return an address of the driver's own",
      binding = true)
  int outboardFunctionName(
      @Out @CString long name, int length, @Handle({FUNCTION, KERNEL}) long function);

  /** Outboard's own: the facts that a launch needs about a function or kernel. */
  @Call(105)
  @Custom(value = "not a function of the vendor: composed of others", binding = true)
  int outboardFunctionFacts(
      @Out(struct = FunctionFacts.class) long facts, @Handle({FUNCTION, KERNEL}) long function);

  /** Whether a function is loaded: 1, or 0 as long as nobody has used it. */
  @Call(106)
  int cuFuncIsLoaded(@Out(INT) long state, @Handle({FUNCTION, KERNEL}) long function);

  /** Loads a function now. */
  @Call(107)
  @Blocking
  int cuFuncLoad(@Handle({FUNCTION, KERNEL}) long function);

  /** Sets the width of shared memory's banks, which devices of today do not have. */
  @Call(108)
  @Invalidates("function")
  int cuFuncSetSharedMemConfig(@Handle({FUNCTION, KERNEL}) long function, int config);

  /** Finds a library's managed variable by name. */
  @Call(109)
  @Custom("a variable that the program shares")
  default int cuLibraryGetManaged(
      @Out(LONG) @DevicePointer long pointer,
      @Out(LONG) long bytes,
      @Handle(LIBRARY) long library,
      @CString long name) {
    return CudaResult.NOT_FOUND;
  }

  /**
   * Outboard's own: as {@link #cuModuleLoadData}, of an image that has a name: the SHA-256 (FIPS
   * 180-4) of its bytes. Without the bytes it is the image that the backend's host keeps under that
   * name; {@link CudaResult#FILE_NOT_FOUND} if it keeps none, and then nothing is loaded. With them
   * the host may keep it. A driver knows nothing of names: the backend does this, and offers the
   * call where it keeps images.
   *
   * @param image null for the one that is kept
   */
  @Call(506)
  @Takes(value = Resource.MEMORY, decorated = true)
  @Blocking
  @Custom(value = "not a function of the vendor: an image by its content", binding = true)
  default int outboardModuleContent(
      @Out(LONG) @Handle(value = MODULE, life = Life.CREATE) long module,
      @In(bytes = "32") long digest,
      @In(bytes = "bytes", optional = true) long image,
      long bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As {@link #cuLibraryLoadData}, in the way of {@link #outboardModuleContent}. */
  @Call(507)
  @Takes(value = Resource.MEMORY, decorated = true)
  @Blocking
  @Custom(value = "not a function of the vendor: an image by its content", binding = true)
  default int outboardLibraryContent(
      @Out(LONG) @Handle(value = LIBRARY, life = Life.CREATE) long library,
      @In(bytes = "32") long digest,
      @In(bytes = "bytes", optional = true) long image,
      long bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /**
   * Outboard's own: {@link #cuLibraryGetKernel} with what is asked of a kernel next, a launch's
   * facts and the attributes on a device. A fact that cannot be told, for example without a current
   * context, is marked unknown in the answer; the kernel is found all the same.
   */
  @Call(509)
  @Custom(value = "not a function of the vendor: composed of others", binding = true)
  default int outboardLibraryKernel(
      @Out(LONG) @Handle(value = KERNEL, parent = "library") long kernel,
      @Out(struct = FunctionFacts.class) long facts,
      @Out(struct = FunctionAttributes.class) long attributes,
      @Handle(LIBRARY) long library,
      @CString long name,
      @Ordinal int device) {
    int result = cuLibraryGetKernel(kernel, library, name);
    if (result == CudaResult.SUCCESS) {
      describe(this, Native.getLong(kernel), facts, attributes, device);
    }
    return result;
  }

  /** Writes what a driver tells of a kernel; a fact that it does not tell is marked unknown. */
  static void describe(CudaModules driver, long kernel, long facts, long attributes, int device) {
    FunctionFacts.ask(facts, at -> driver.outboardFunctionFacts(at, kernel));
    FunctionAttributes.ask(
        attributes, (at, attribute) -> driver.cuKernelGetAttribute(at, attribute, kernel, device));
  }

  /** {@link #cuModuleGetFunction} in the way of {@link #outboardLibraryKernel}. */
  @Call(510)
  @Custom(value = "not a function of the vendor: composed of others", binding = true)
  default int outboardModuleFunction(
      @Out(LONG) @Handle(value = FUNCTION, parent = "module") long function,
      @Out(struct = FunctionFacts.class) long facts,
      @Out(struct = FunctionAttributes.class) long attributes,
      @Handle(MODULE) long module,
      @CString long name) {
    int result = cuModuleGetFunction(function, module, name);
    if (result == CudaResult.SUCCESS) {
      long found = Native.getLong(function);
      FunctionFacts.ask(facts, at -> outboardFunctionFacts(at, found));
      FunctionAttributes.ask(
          attributes, (at, attribute) -> cuFuncGetAttribute(at, attribute, found));
    }
    return result;
  }

  /**
   * Outboard's own: {@link #cuModuleGetGlobal_v2} with what the program is to do with the variable.
   *
   * @param sharing as {@code VariableSharing} has it; else so many bytes, in whole pages, are to be
   *     mapped ({@link CudaManagedMemory#outboardManagedMap})
   */
  @Call(511)
  @Custom(value = "not a function of the vendor: composed of others", binding = true)
  int outboardModuleVariable(
      @Out(LONG) @DevicePointer long pointer,
      @Out(LONG) long bytes,
      @Out(LONG) long sharing,
      @Handle(MODULE) long module,
      @CString long name);

  /**
   * {@link #cuLibraryGetGlobal}, or {@link #cuLibraryGetManaged} where {@code managed} is not 0, in
   * the way of {@link #outboardModuleVariable}.
   */
  @Call(512)
  @Custom(value = "not a function of the vendor: composed of others", binding = true)
  int outboardLibraryVariable(
      @Out(LONG) @DevicePointer long pointer,
      @Out(LONG) long bytes,
      @Out(LONG) long sharing,
      @Handle(LIBRARY) long library,
      @CString long name,
      int managed);

  /** How modules are loaded: 1 at once, 2 when they are used. */
  @Local(prototype = "CUresult cuModuleGetLoadingMode(int *mode)")
  default int cuModuleGetLoadingMode(@Out(INT) long mode) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Loads a module from a file. */
  @Local(prototype = "CUresult cuModuleLoad(CUmodule *module, const char *file)")
  default int cuModuleLoad(@Out(LONG) long module, @CString long file) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As {@link #cuModuleLoadData}, with options for the compiler. */
  @Local(
      prototype =
          "CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count, int"
              + " *options, void **values)")
  default int cuModuleLoadDataEx(
      @Out(LONG) long module,
      long image,
      int count,
      @In(value = INT, count = "count") long options,
      @In(value = LONG, count = "count") long values) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As {@link #cuModuleLoadData}, of a container. */
  @Same(
      as = "cuModuleLoadData",
      prototype = "CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)")
  default int cuModuleLoadFatBinary(@Out(LONG) long module, long image) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Loads a library from a file. */
  @Local(
      prototype =
          "CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *file, int *jitOptions,"
              + " void **jitValues, unsigned int jitCount, int *options, void **values, unsigned"
              + " int count)")
  default int cuLibraryLoadFromFile(
      @Out(LONG) long library,
      @CString long file,
      long jitOptions,
      long jitValues,
      int jitCount,
      long options,
      long values,
      int count) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The name of a function; the text lives as long as the process. */
  @Local(prototype = "CUresult cuFuncGetName(const char **name, CUfunction function)")
  default int cuFuncGetName(@Out(LONG) long name, @Handle({FUNCTION, KERNEL}) long function) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The name of a kernel; the text lives as long as the process. */
  @Local(prototype = "CUresult cuKernelGetName(const char **name, CUkernel kernel)")
  default int cuKernelGetName(@Out(LONG) long name, @Handle(KERNEL) long kernel) {
    return CudaResult.NOT_SUPPORTED;
  }
}
