// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.module;

import io.outboard.ptx.PtxKernel;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.profile.FunctionFigures;
import java.util.concurrent.atomic.AtomicBoolean;

/** A function of a module, in the module's context. */
public final class LoadedFunction extends Launchable {
  private final LoadedModule module;
  private final AtomicBoolean told = new AtomicBoolean();

  LoadedFunction(LoadedModule module, PtxKernel code, FunctionFigures figures) {
    super(code, figures);
    this.module = module;
  }

  public LoadedModule module() {
    return module;
  }

  /** Whether it needs what is not implemented; the console is told once. */
  public boolean isRefused() {
    boolean refused = !code().missing().isEmpty();
    if (refused && told.compareAndSet(false, true)) {
      String message = KernelRefusal.message(code(), module.target());
      module.context().machine().console().message(message);
    }
    return refused;
  }

  @Override
  public Context home(Context current) {
    return module.context();
  }

  @Override
  public LoadedFunction in(Context context) {
    return module.context() == context ? this : null;
  }
}
