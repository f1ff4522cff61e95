// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import io.outboard.ptx.PtxKernel;

/** A kernel of a library: in every context the function of the same name. */
final class LibraryKernel extends Launchable {
  private final LoadedLibrary library;

  LibraryKernel(LoadedLibrary library, PtxKernel code, FunctionFigures figures) {
    super(code, figures);
    this.library = library;
  }

  LoadedLibrary library() {
    return library;
  }

  @Override
  LoadedFunction in(Context context) {
    LoadedModule module = library.in(context);
    return module == null ? null : module.function(code().name());
  }
}
