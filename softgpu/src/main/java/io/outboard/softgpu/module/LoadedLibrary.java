// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.module;

import io.outboard.ptx.PtxKernel;
import io.outboard.ptx.PtxModule;
import io.outboard.softgpu.base.HandleTable;
import io.outboard.softgpu.base.Handled;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.device.PrimaryContext;
import io.outboard.softgpu.memory.Allocation;
import io.outboard.softgpu.memory.MemoryOwner;
import io.outboard.softgpu.profile.DeviceProfile;
import io.outboard.softgpu.profile.FunctionFigures;
import io.outboard.softgpu.profile.PtxTarget;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Code of no context, loaded into each one when it is first used there. Its managed variables are
 * the same in all.
 */
public final class LoadedLibrary extends Handled implements MemoryOwner {
  private final String text;
  private final Map<String, LibraryKernel> kernels = new LinkedHashMap<>();
  private final Map<Context, LoadedModule> modules = new HashMap<>();
  private final Map<String, Allocation> managed = new HashMap<>();
  private PtxModule unused;
  private PrimaryContext held;

  /**
   * Makes the kernels of a library.
   *
   * @param code what the text was compiled to; the first context uses it
   */
  public LoadedLibrary(String text, PtxModule code, DeviceProfile profile) {
    this.text = text;
    this.unused = code;
    for (PtxKernel kernel : code.kernels().values()) {
      FunctionFigures figures = new FunctionFigures(kernel, profile, PtxTarget.architecture(code));
      kernels.put(kernel.name(), new LibraryKernel(this, kernel, figures));
    }
  }

  public Collection<LibraryKernel> kernels() {
    return kernels.values();
  }

  /** The kernel of a name, or null. */
  public LibraryKernel kernel(String name) {
    return kernels.get(name);
  }

  /** The library's module in a context, loaded if need be; null when there is no room. */
  public synchronized LoadedModule in(Context context) {
    LoadedModule module = modules.get(context);
    return module != null ? module : load(context);
  }

  private LoadedModule load(Context context) {
    PtxModule code = unused != null ? unused : PtxModule.parse(text);
    unused = null;
    Map<String, Allocation> variables = Variables.place(code, context, this, managed);
    if (variables == null) {
      return null;
    }
    keepManaged(variables);
    LoadedModule module = new LoadedModule(context, this, code, variables);
    if (!module.adopt()) {
      module.unload();
      return null;
    }
    modules.put(context, module);
    return module;
  }

  private void keepManaged(Map<String, Allocation> variables) {
    variables.forEach(
        (name, place) -> {
          if (place.owner() == this) {
            managed.put(name, place);
          }
        });
  }

  /** The library's module in some context, or null while it is loaded nowhere. */
  public synchronized LoadedModule anywhere() {
    return modules.values().stream().findFirst().orElse(null);
  }

  /** Uses a primary context from now on, so that what is loaded there stays. */
  public void hold(PrimaryContext primary) {
    primary.retain();
    if (!isHeldFirst(primary)) {
      primary.release();
    }
  }

  private synchronized boolean isHeldFirst(PrimaryContext primary) {
    boolean first = held == null;
    held = first ? primary : held;
    return first;
  }

  /** Uses it no more. */
  public void letGo() {
    PrimaryContext ended = taken();
    if (ended != null) {
      ended.release();
    }
  }

  private synchronized PrimaryContext taken() {
    PrimaryContext ended = held;
    held = null;
    return ended;
  }

  /** The context ends, and the module in it. */
  synchronized void forget(Context context) {
    modules.remove(context);
    held = held == context ? null : held;
  }

  @Override
  public synchronized void awaitWork() {
    for (Context context : modules.keySet()) {
      context.order().awaitAll();
    }
  }

  /** Ends the library everywhere. */
  public synchronized void unload(Machine machine) {
    awaitWork();
    modules.values().forEach(LoadedModule::unload);
    modules.clear();
    managed.values().forEach(place -> machine.memoryOf(place.address()).release(place));
    managed.clear();
    HandleTable handles = machine.handles();
    for (LibraryKernel kernel : kernels.values()) {
      handles.remove(kernel);
    }
    handles.remove(this);
  }
}
