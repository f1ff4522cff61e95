// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Functions of the program that the backend may ask for. They run in a thread of their own, in the
 * order in which it asks.
 */
final class ClientFunctions {
  /** Most that wait for their turn: a backend that asks for more is broken. */
  static final int MOST = 1 << 16;

  private final LongConsumer returned;
  private final Map<Long, Kept> kept = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicInteger expected = new AtomicInteger();
  private final ThreadPoolExecutor runner =
      new ThreadPoolExecutor(
          1,
          1,
          1,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(MOST),
          Thread.ofPlatform().daemon().name("outboard-functions").factory());

  /** {@code returned} tells the backend the ticket of a function that has returned. */
  ClientFunctions(LongConsumer returned) {
    this.returned = returned;
    runner.allowCoreThreadTimeOut(true);
  }

  /** Keeps a function; returns its number. */
  long keep(long function, long userData, int position, boolean repeated) {
    long number = numbers.incrementAndGet();
    expected.incrementAndGet();
    kept.put(number, new Kept(call(function, position), userData, repeated));
    return number;
  }

  /** Whether the backend may still ask for some. */
  boolean areExpected() {
    return expected.get() > 0;
  }

  /** The backend asks for a function; false if it cannot. */
  boolean asked(long number, long ticket) {
    Kept one = kept.get(number);
    if (one == null) {
      return false;
    }
    if (!one.repeated) {
      kept.remove(number);
    }
    try {
      runner.execute(() -> run(one, ticket));
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  private void run(Kept one, long ticket) {
    one.run();
    returned.accept(ticket);
    if (!one.repeated) {
      expected.decrementAndGet();
    }
  }

  /** The arguments before the user data are of no use to functions that the backend asks for. */
  private static MethodHandle call(long function, int position) {
    MemoryLayout[] arguments =
        Collections.nCopies(position + 1, ValueLayout.JAVA_LONG).toArray(MemoryLayout[]::new);
    MethodHandle call =
        Linker.nativeLinker()
            .downcallHandle(
                MemorySegment.ofAddress(function), FunctionDescriptor.ofVoid(arguments));
    return MethodHandles.insertArguments(call, 0, Collections.nCopies(position, 0L).toArray());
  }

  private record Kept(MethodHandle call, long userData, boolean repeated) {
    void run() {
      try {
        call.invokeExact(userData);
      } catch (Throwable failure) {
        throw new AssertionError("a function of the program does not throw", failure);
      }
    }
  }
}
