// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.quota;

import io.outboard.cuda.CudaResult;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;

/**
 * Memory that modules take, as their images say, and which libraries have been loaded into which
 * contexts: a driver loads a library into a context when it is first used there.
 */
final class ModuleMemories {
  private final MemoryCredit credit;
  private final Map<Long, Module> modules = new ConcurrentHashMap<>();
  private final Map<Long, Library> libraries = new ConcurrentHashMap<>();
  private final Map<Long, Long> kernels = new ConcurrentHashMap<>();

  private record Module(int gpu, long bytes, long context) {}

  private record Library(OptionalLong bytes, Map<Long, Module> loaded) {}

  ModuleMemories(MemoryCredit credit) {
    this.credit = credit;
  }

  /** A module has been loaded, whose bytes have been taken. */
  void loaded(long module, int gpu, long bytes, long context) {
    modules.put(module, new Module(gpu, bytes, context));
  }

  /** Unloads a module. Taken out first: once it is gone, another one may have its handle. */
  int unload(long module, IntSupplier call) {
    Module gone = modules.remove(module);
    int result = call.getAsInt();
    if (result == CudaResult.SUCCESS) {
      give(gone);
    } else if (gone != null) {
      modules.put(module, gone);
    }
    return result;
  }

  /** A library has been made, of what its image says. */
  void made(long library, OptionalLong bytes) {
    libraries.put(library, new Library(bytes, new ConcurrentHashMap<>()));
  }

  /** Unloads a library from all contexts, in the same way. */
  int end(long library, IntSupplier call) {
    Library gone = libraries.remove(library);
    int result = call.getAsInt();
    if (gone != null && result == CudaResult.SUCCESS) {
      kernels.values().removeIf(of -> of == library);
      gone.loaded().values().forEach(this::give);
    } else if (gone != null) {
      libraries.put(library, gone);
    }
    return result;
  }

  /** A kernel is one of a library's. */
  void kernel(long kernel, long library) {
    if (libraries.containsKey(library)) {
      kernels.put(kernel, library);
    }
  }

  /** Whether a handle is one of a library's kernels. */
  boolean isKernel(long function) {
    return kernels.containsKey(function);
  }

  /** The library of a kernel, 0 where it is none. */
  long libraryOf(long function) {
    return kernels.getOrDefault(function, 0L);
  }

  /** Whether a library is still to be loaded into a context. */
  boolean isNew(long library, long context) {
    Library known = libraries.get(library);
    return known != null && !known.loaded().containsKey(context);
  }

  /** The figures of a library's image. */
  OptionalLong bytes(long library) {
    Library known = libraries.get(library);
    return known == null ? OptionalLong.empty() : known.bytes();
  }

  /** A library is loaded into a context, for which bytes have been taken. */
  void loadedInto(long library, int gpu, long bytes, long context) {
    Library known = libraries.get(library);
    Module one = new Module(gpu, bytes, context);
    if (known == null || known.loaded().putIfAbsent(context, one) != null) {
      give(one);
    }
  }

  /** A context has ended, and all modules in it. */
  void forget(long context) {
    modules.forEach(
        (handle, module) -> {
          if (module.context() == context && modules.remove(handle, module)) {
            give(module);
          }
        });
    libraries.values().forEach(library -> give(library.loaded().remove(context)));
  }

  private void give(Module gone) {
    if (gone != null) {
      credit.give(gone.gpu(), gone.bytes());
    }
  }
}
