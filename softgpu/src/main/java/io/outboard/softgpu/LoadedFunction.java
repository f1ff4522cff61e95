// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import io.outboard.ptx.PtxKernel;

/** A function of a module, in the module's context. */
final class LoadedFunction extends Launchable {
  private final LoadedModule module;

  LoadedFunction(LoadedModule module, PtxKernel code, FunctionFigures figures) {
    super(code, figures);
    this.module = module;
  }

  LoadedModule module() {
    return module;
  }

  @Override
  LoadedFunction in(Context context) {
    return module.context() == context ? this : null;
  }
}
