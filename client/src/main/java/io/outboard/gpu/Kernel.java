// SPDX-License-Identifier: Apache-2.0
package io.outboard.gpu;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A function of a module that runs on the GPU. */
public final class Kernel {
  private final Gpu gpu;
  private final String name;
  private final String doing;
  private final long function;
  private final KernelLayout layout;
  // Each thread's own: a launch has copied them when it returns.
  private final ThreadLocal<MemorySegment> parameters;

  Kernel(Gpu gpu, String name, long function, KernelLayout layout) {
    this.gpu = gpu;
    this.name = name;
    doing = "launch of " + name;
    this.function = function;
    this.layout = layout;
    int bytes = Math.max(layout.bytes(), 1);
    parameters = ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(bytes, Long.BYTES));
  }

  /** Its name in the module. */
  public String name() {
    return name;
  }

  /**
   * Has it run, after all that was given to the GPU before; returns at once.
   *
   * @param arguments in order: {@link GpuMemory} for a pointer, boxed numbers of the parameter's
   *     size, {@link java.lang.foreign.MemorySegment} for a structure
   * @throws IllegalArgumentException if they are not those of the kernel
   * @throws GpuException if the GPU cannot run such a grid, or earlier work has failed
   */
  public void launch(Grid grid, Object... arguments) {
    MemorySegment packed = parameters.get();
    layout.pack(packed, name, arguments);
    GpuException.check(
        doing,
        gpu.driver()
            .cuLaunchKernel(
                function,
                grid.x(),
                grid.y(),
                grid.z(),
                grid.blockX(),
                grid.blockY(),
                grid.blockZ(),
                grid.sharedBytes(),
                0,
                packed.address(),
                layout.bytes()));
  }
}
