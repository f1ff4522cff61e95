// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.module;

import io.outboard.softgpu.device.Context;
import java.util.ArrayList;
import java.util.List;

/** All libraries of the process. */
public final class Libraries {
  private final List<LoadedLibrary> libraries = new ArrayList<>();

  public synchronized void add(LoadedLibrary library) {
    libraries.add(library);
  }

  public synchronized void remove(LoadedLibrary library) {
    libraries.remove(library);
  }

  /** A context ends: the libraries' parts in it end too. */
  public synchronized void forget(Context context) {
    for (LoadedLibrary library : libraries) {
      library.forget(context);
    }
  }
}
