// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.vendor;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Collections;

/**
 * A function that the host's library calls, on any thread, with so many words: the first is its
 * subject, the last is the word that it was given to hand on. The words between are the vendor's
 * and not looked at. The library may call it as long as this process lives.
 */
public final class HostCallback {
  private static final MethodType TYPE = MethodType.methodType(void.class, long.class, long.class);

  private final int words;
  private final Told told;
  private long address;

  /** The function to tell. */
  @FunctionalInterface
  public interface Told {
    /** The library calls. */
    void of(long first, long last);
  }

  public HostCallback(int words, Told told) {
    this.words = words;
    this.told = told;
  }

  /** Its address. */
  public synchronized long address() {
    if (address == 0) {
      address = bind();
    }
    return address;
  }

  private long bind() {
    try {
      MethodHandle of = MethodHandles.lookup().findVirtual(Told.class, "of", TYPE).bindTo(told);
      MethodHandle whole =
          MethodHandles.dropArguments(of, 1, Collections.nCopies(words - 2, long.class));
      MemoryLayout[] layouts = Collections.nCopies(words, JAVA_LONG).toArray(MemoryLayout[]::new);
      FunctionDescriptor type = FunctionDescriptor.ofVoid(layouts);
      return Linker.nativeLinker().upcallStub(whole, type, Arena.global()).address();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the method is in this file", e);
    }
  }
}
