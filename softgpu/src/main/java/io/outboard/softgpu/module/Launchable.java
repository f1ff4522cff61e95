// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.module;

import io.outboard.ptx.PtxKernel;
import io.outboard.ptx.host.PtxParameter;
import io.outboard.softgpu.base.Handled;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.profile.FunctionFigures;
import java.util.List;

/** A thing that a launch may name: a module's function, or a library's kernel. */
public abstract class Launchable extends Handled {
  private final PtxKernel code;
  private final FunctionFigures figures;

  Launchable(PtxKernel code, FunctionFigures figures) {
    this.code = code;
    this.figures = figures;
  }

  public final PtxKernel code() {
    return code;
  }

  public final FunctionFigures figures() {
    return figures;
  }

  public final List<PtxParameter> parameters() {
    return code.parameters();
  }

  /** The context that it runs in where none is named and this one is current. */
  public abstract Context home(Context current);

  /** The function to run in a context; null when there is none. */
  public abstract LoadedFunction in(Context context);
}
