// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A program on the JVM that uses managed memory through {@code libcuda.so.1}, which is a program of
 * {@link PagesTest}. Its virtual machine takes faults of its own for null pointers, safepoints and
 * stacks that end, and has set its handler before there was another.
 */
final class ManagedFromJava {
  private static final int GLOBAL = 1;
  private static final int WORDS = 1 << 18;
  private static final int PAGE_WORDS = 1024;
  private static final int ROUNDS = 5;
  private static final int THREADS = 4;

  private static final SymbolLookup CUDA =
      SymbolLookup.libraryLookup("libcuda.so.1", Arena.global());

  private final MemorySegment memory;
  private int nulls;

  private ManagedFromJava(MemorySegment memory) {
    this.memory = memory;
  }

  /** Prints "ok". */
  public static void main(String[] arguments) throws Exception {
    MemorySegment context = begin();
    List<Future<?>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      for (int i = 0; i < THREADS; i++) {
        all.add(threads.submit(() -> useMemory(context)));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } catch (ExecutionException failed) {
      throw new AssertionError(failed);
    }
    System.out.println("ok");
  }

  private static MemorySegment begin() {
    MemorySegment out = Arena.global().allocate(ADDRESS);
    call("cuInit", List.of(JAVA_INT), 0);
    call("cuDevicePrimaryCtxRetain", List.of(ADDRESS, JAVA_INT), out, 0);
    return out.get(ADDRESS, 0);
  }

  private static void useMemory(MemorySegment context) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_LONG);
      call("cuCtxSetCurrent", List.of(ADDRESS), context);
      call("cuMemAllocManaged", List.of(ADDRESS, JAVA_LONG, JAVA_INT), out, 4L * WORDS, GLOBAL);
      long address = out.get(JAVA_LONG, 0);
      new ManagedFromJava(MemorySegment.ofAddress(address).reinterpret(4L * WORDS)).takeTurns();
      call("cuMemFree_v2", List.of(JAVA_LONG), address);
    }
  }

  /** The device fills the memory, and the program looks at it and changes it. */
  private void takeTurns() {
    for (int round = 0; round < ROUNDS; round++) {
      call("cuMemsetD32_v2", fill(), memory.address(), round, (long) WORDS);
      call("cuMemsetD32_v2", fill(), memory.address() + 4, round + 1, WORDS / 2L);
      for (int word = 0; word < WORDS; word += PAGE_WORDS) {
        expect(round + (word > 0 && word <= WORDS / 2 ? 1 : 0), get(word));
        memory.setAtIndex(JAVA_INT, word, -word);
        countNull(word % (8 * PAGE_WORDS) == 0 ? null : this);
      }
      call("cuCtxSynchronize", List.of());
      expect(-PAGE_WORDS, get(PAGE_WORDS));
      expect(true, overflows());
    }
    expect(ROUNDS * WORDS / PAGE_WORDS / 8, nulls);
  }

  private static List<MemoryLayout> fill() {
    return List.of(JAVA_LONG, JAVA_INT, JAVA_LONG);
  }

  private int get(int word) {
    return memory.getAtIndex(JAVA_INT, word);
  }

  /** The machine finds a null pointer by the fault of the access. */
  private void countNull(ManagedFromJava other) {
    try {
      expect(nulls, other.nulls);
    } catch (NullPointerException expected) {
      nulls++;
    }
  }

  private static boolean overflows() {
    try {
      return deep(0) < 0;
    } catch (StackOverflowError expected) {
      return true;
    }
  }

  @SuppressWarnings("InfiniteRecursion") // it is to end the stack
  private static int deep(int depth) {
    return deep(depth + 1) + 1;
  }

  private static void expect(Object expected, Object found) {
    if (!expected.equals(found)) {
      throw new AssertionError("expected " + expected + ", found " + found);
    }
  }

  private static void call(String name, List<? extends MemoryLayout> types, Object... arguments) {
    FunctionDescriptor type = FunctionDescriptor.of(JAVA_INT, types.toArray(MemoryLayout[]::new));
    MethodHandle function = Linker.nativeLinker().downcallHandle(CUDA.findOrThrow(name), type);
    try {
      int result = (int) function.invokeWithArguments(arguments);
      if (result != 0) {
        throw new IllegalStateException(name + ": " + result);
      }
    } catch (RuntimeException failed) {
      throw failed;
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }
}
