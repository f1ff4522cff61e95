// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import java.util.ArrayList;
import java.util.List;

/** All libraries of the process. */
final class Libraries {
  private final List<LoadedLibrary> libraries = new ArrayList<>();

  synchronized void add(LoadedLibrary library) {
    libraries.add(library);
  }

  synchronized void remove(LoadedLibrary library) {
    libraries.remove(library);
  }

  /** A context ends: what the libraries have in it ends too. */
  synchronized void forget(Context context) {
    for (LoadedLibrary library : libraries) {
      library.forget(context);
    }
  }
}
