// SPDX-License-Identifier: Apache-2.0
package io.outboard.gpu;

import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.FunctionFacts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Code and variables in a GPU. */
public final class GpuModule implements AutoCloseable {
  private static final long FACTS =
      FunctionFacts.LAYOUT_VALUES + 2L * FunctionFacts.LAYOUT * Integer.BYTES;

  private final Gpu gpu;
  private final long module;

  GpuModule(Gpu gpu, long module) {
    this.gpu = gpu;
    this.module = module;
  }

  /**
   * Finds a kernel.
   *
   * @param name as it is in the image: C++ compilers mangle names that are not {@code extern "C"}
   * @throws GpuException if there is none of this name
   */
  public Kernel kernel(String name) {
    try (Arena arena = Arena.ofConfined()) {
      long text = arena.allocateFrom(name).address();
      long function =
          gpu.answer(
              "cuModuleGetFunction of " + name,
              at -> gpu.driver().cuModuleGetFunction(at, module, text));
      MemorySegment facts = arena.allocate(FACTS, Long.BYTES);
      String asked = "parameters of " + name;
      GpuException.check(asked, gpu.driver().outboardFunctionFacts(facts.address(), function));
      KernelLayout layout = layout(facts);
      if (!layout.isPossible()) {
        throw new GpuException(asked, CudaResult.NOT_SUPPORTED);
      }
      return new Kernel(gpu, name, function, layout);
    }
  }

  private static KernelLayout layout(MemorySegment facts) {
    int count = facts.get(ValueLayout.JAVA_INT, 0);
    int[] offsets = new int[Math.clamp(count, 0, FunctionFacts.LAYOUT)];
    int[] sizes = new int[offsets.length];
    for (int i = 0; i < offsets.length; i++) {
      long at = FunctionFacts.LAYOUT_VALUES + 2L * Integer.BYTES * i;
      offsets[i] = facts.get(ValueLayout.JAVA_INT, at);
      sizes[i] = facts.get(ValueLayout.JAVA_INT, at + Integer.BYTES);
    }
    return new KernelLayout(
        facts.get(ValueLayout.JAVA_INT, FunctionFacts.PARAMETER_BYTES), offsets, sizes);
  }

  /**
   * Finds a variable; it lives as long as the module.
   *
   * @throws GpuException if there is none of this name
   */
  public GpuMemory variable(String name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment values = arena.allocate(2 * Long.BYTES, Long.BYTES);
      GpuException.check(
          "cuModuleGetGlobal of " + name,
          gpu.driver()
              .cuModuleGetGlobal_v2(
                  values.address(),
                  values.address() + Long.BYTES,
                  module,
                  arena.allocateFrom(name).address()));
      return new GpuMemory(
          gpu,
          values.get(ValueLayout.JAVA_LONG, 0),
          values.get(ValueLayout.JAVA_LONG, Long.BYTES),
          false);
    }
  }

  /** Unloads it; its kernels and variables end. */
  @Override
  public void close() {
    GpuException.check("cuModuleUnload", gpu.driver().cuModuleUnload(module));
  }
}
