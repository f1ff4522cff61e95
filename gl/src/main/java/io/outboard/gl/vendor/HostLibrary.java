// SPDX-License-Identifier: Apache-2.0
package io.outboard.gl.vendor;

import static java.lang.foreign.ValueLayout.ADDRESS;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/** The functions of the host's {@code libEGL}: those that it exports, and all that it finds. */
final class HostLibrary implements SymbolLookup {
  private final SymbolLookup exported;
  private final MethodHandle find;

  /**
   * Loads it.
   *
   * @throws IllegalArgumentException if it is not here
   */
  HostLibrary(String name) {
    exported = SymbolLookup.libraryLookup(name, Arena.global());
    MemorySegment address =
        exported
            .find("eglGetProcAddress")
            .orElseThrow(() -> new IllegalArgumentException(name + " has no eglGetProcAddress"));
    find = Linker.nativeLinker().downcallHandle(address, FunctionDescriptor.of(ADDRESS, ADDRESS));
  }

  @Override
  public Optional<MemorySegment> find(String name) {
    Optional<MemorySegment> own = exported.find(name);
    return own.isPresent() ? own : found(name);
  }

  private Optional<MemorySegment> found(String name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = (MemorySegment) find.invokeExact(arena.allocateFrom(name));
      return address.address() == 0 ? Optional.empty() : Optional.of(address);
    } catch (Throwable e) {
      throw new AssertionError("a native function does not throw", e);
    }
  }
}
