// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import io.outboard.ptx.PtxKernel;
import io.outboard.ptx.host.PtxParameter;
import java.util.List;

/** What a launch may name: a module's function, or a library's kernel. */
abstract class Launchable extends Handled {
  private final PtxKernel code;
  private final FunctionFigures figures;

  Launchable(PtxKernel code, FunctionFigures figures) {
    this.code = code;
    this.figures = figures;
  }

  final PtxKernel code() {
    return code;
  }

  final FunctionFigures figures() {
    return figures;
  }

  final List<PtxParameter> parameters() {
    return code.parameters();
  }

  /** The function to run in a context; null when there is none. */
  abstract LoadedFunction in(Context context);
}
