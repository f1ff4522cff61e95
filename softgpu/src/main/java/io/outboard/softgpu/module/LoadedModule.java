// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.module;

import io.outboard.ptx.PtxKernel;
import io.outboard.ptx.PtxModule;
import io.outboard.softgpu.base.Handled;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.memory.Allocation;
import io.outboard.softgpu.profile.FunctionFigures;
import io.outboard.softgpu.profile.PtxTarget;
import io.outboard.softgpu.texture.SurfaceReference;
import io.outboard.softgpu.texture.TextureReference;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Code in a context: functions that can be launched, and variables that have their places. What
 * belongs to its library stays when it ends.
 */
public final class LoadedModule extends Handled {
  private final Context context;
  private final LoadedLibrary library;
  private final String target;
  private final Map<String, Allocation> variables;
  private final Map<String, LoadedFunction> functions = new LinkedHashMap<>();
  private final Map<String, Handled> references = new LinkedHashMap<>();

  /** Loads a module of its own. */
  public LoadedModule(Context context, PtxModule code, Map<String, Allocation> variables) {
    this.context = context;
    this.library = null;
    this.target = code.target();
    this.variables = variables;
    refer(code);
    for (PtxKernel kernel : code.kernels().values()) {
      FunctionFigures figures =
          new FunctionFigures(kernel, context.device().profile(), PtxTarget.architecture(code));
      functions.put(kernel.name(), new LoadedFunction(this, kernel, figures));
    }
  }

  /** Loads a library's code into a context: its functions share the kernels' figures. */
  public LoadedModule(
      Context context, LoadedLibrary library, PtxModule code, Map<String, Allocation> variables) {
    this.context = context;
    this.library = library;
    this.target = code.target();
    this.variables = variables;
    refer(code);
    for (LibraryKernel kernel : library.kernels()) {
      String name = kernel.code().name();
      PtxKernel compiled = code.kernels().get(name);
      functions.put(name, new LoadedFunction(this, compiled, kernel.figures()));
    }
  }

  private void refer(PtxModule code) {
    code.references()
        .forEach(
            (name, kind) -> {
              switch (kind) {
                case TEXTURE -> references.put(name, new TextureReference(context));
                case SURFACE -> references.put(name, new SurfaceReference());
                case SAMPLER -> {}
              }
            });
  }

  public Context context() {
    return context;
  }

  /** The reference of a name if it is of this kind, else null. */
  public <T extends Handled> T reference(String name, Class<T> kind) {
    Handled found = references.get(name);
    return kind.isInstance(found) ? kind.cast(found) : null;
  }

  /** The library that it is part of, or null. */
  public LoadedLibrary library() {
    return library;
  }

  /** Which devices the code is for, as in its text. */
  String target() {
    return target;
  }

  /** The function of a name, or null. */
  public LoadedFunction function(String name) {
    return functions.get(name);
  }

  public Iterable<LoadedFunction> functions() {
    return functions.values();
  }

  public int functionCount() {
    return functions.size();
  }

  /** The place of a variable, or null. */
  public Allocation variable(String name) {
    return variables.get(name);
  }

  /** Gives the module and its functions their handles; false when there are too many. */
  public boolean adopt() {
    boolean adopted = context.adopt(this);
    for (LoadedFunction function : functions.values()) {
      adopted = adopted && context.adopt(function);
    }
    for (Handled reference : references.values()) {
      adopted = adopted && context.adopt(reference);
    }
    return adopted;
  }

  /** Ends the handles and frees the variables; no work uses them any more. */
  public void unload() {
    context.disown(this);
    for (LoadedFunction function : functions.values()) {
      context.disown(function);
    }
    for (Handled reference : references.values()) {
      context.disown(reference);
    }
    for (Allocation variable : variables.values()) {
      if (variable.owner() == context) {
        context.machine().memoryOf(variable.address()).release(variable);
      }
    }
  }
}
