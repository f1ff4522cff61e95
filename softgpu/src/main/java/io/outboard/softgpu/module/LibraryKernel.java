// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.module;

import io.outboard.ptx.PtxKernel;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.profile.FunctionFigures;

/** A kernel of a library: in every context the function of the same name. */
public final class LibraryKernel extends Launchable {
  private final LoadedLibrary library;

  LibraryKernel(LoadedLibrary library, PtxKernel code, FunctionFigures figures) {
    super(code, figures);
    this.library = library;
  }

  public LoadedLibrary library() {
    return library;
  }

  @Override
  public Context home(Context current) {
    return current;
  }

  @Override
  public LoadedFunction in(Context context) {
    LoadedModule module = library.in(context);
    return module == null ? null : module.function(code().name());
  }
}
