// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.route;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongToIntFunction;

/**
 * The libraries of a program and their kernels. They belong to no context (CUDA Driver API,
 * "Library Management"), so a program takes the same ones to devices of any host. It has the values
 * of this host's driver; another host loads a library when it is first used there.
 */
final class HostLibraries {
  private final List<? extends CudaDriver> drivers;
  private final Map<Long, Everywhere> objects = new ConcurrentHashMap<>();

  /** The values that hosts have for an object, 0 where one has none yet. */
  private abstract static class Everywhere {
    private final long[] values;

    Everywhere(int hosts, long here) {
      values = new long[hosts];
      values[0] = here;
    }

    final synchronized long at(int host) {
      if (values[host] == 0) {
        values[host] = make(host);
      }
      return values[host];
    }

    /** Returns 0 if that is not possible. */
    abstract long make(int host);

    final synchronized long known(int host) {
      return values[host];
    }

    final synchronized void is(int host, long value) {
      values[host] = value;
    }
  }

  private final class Library extends Everywhere {
    private final NativeBuffer code;
    private final long bytes;

    Library(long here, long image, long bytes) {
      super(drivers.size(), here);
      this.bytes = bytes;
      this.code = new NativeBuffer(bytes);
      Native.copy(image, code.address(), bytes);
    }

    @Override
    long make(int host) {
      return told(at -> drivers.get(host).cuLibraryLoadData(at, code.address(), bytes));
    }
  }

  private final class Kernel extends Everywhere {
    private final Library library;
    private final String name;

    Kernel(long here, Library library, String name) {
      super(drivers.size(), here);
      this.library = library;
      this.name = name;
    }

    @Override
    long make(int host) {
      try (Arena arena = Arena.ofConfined()) {
        long text = arena.allocateFrom(name).address();
        return told(at -> drivers.get(host).cuLibraryGetKernel(at, library.at(host), text));
      }
    }
  }

  /** The value that a question has written somewhere; 0 if it fails. */
  private static long told(LongToIntFunction question) {
    try (NativeBuffer value = new NativeBuffer(Long.BYTES)) {
      return question.applyAsInt(value.address()) == CudaResult.SUCCESS
          ? Native.getLong(value.address())
          : 0;
    }
  }

  HostLibraries(List<? extends CudaDriver> drivers) {
    this.drivers = drivers;
  }

  /** Whether a value of this host's driver is that of a library or a kernel. */
  boolean has(long handle) {
    return objects.containsKey(handle);
  }

  /** The value that a host has; 0 if the host cannot have it, which no driver takes. */
  long valueAt(int host, long handle) {
    Everywhere one = host == 0 ? null : objects.get(handle);
    return one == null ? handle : one.at(host);
  }

  /** This host has loaded a library; its code may go. */
  void loaded(long library, long code, long bytes) {
    objects.put(library, new Library(library, code, bytes));
  }

  /** This host has told of a kernel of a library, by its name. */
  void found(long kernel, long library, long name) {
    if (objects.get(library) instanceof Library owner) {
      objects.computeIfAbsent(
          kernel, made -> new Kernel(made, owner, Native.MEMORY.getString(name)));
    }
  }

  /** Another host has told of a kernel that this one has told of. */
  void found(long kernel, int host, long value) {
    Everywhere one = objects.get(kernel);
    if (one != null) {
      one.is(host, value);
    }
  }

  /** This host has unloaded a library: the others do, too. */
  void unloaded(long library) {
    if (!(objects.remove(library) instanceof Library ended)) {
      return;
    }
    objects.values().removeIf(one -> one instanceof Kernel kernel && kernel.library == ended);
    for (int host = 1; host < drivers.size(); host++) {
      if (ended.known(host) != 0) {
        int unused = drivers.get(host).cuLibraryUnload(ended.known(host));
      }
    }
    ended.code.close();
  }
}
