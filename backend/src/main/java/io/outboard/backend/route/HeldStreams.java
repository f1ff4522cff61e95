// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.route;

import io.outboard.backend.system.Log;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import java.util.function.Predicate;

/**
 * Streams that are held for work between hosts, so that no thread of the program is. A function in
 * a stream tells that the work may begin; the held stream waits for a word that is written after
 * it. An error of the work is told by the next call that waits in the context.
 */
final class HeldStreams {
  /** {@link #hold} can hold no stream. */
  static final int NONE = -1;

  /** Threads that do such work at a time. */
  private static final int THREADS = 16;

  private final CudaHosts hosts;
  private final RunAhead ahead;
  private final List<? extends CudaDriver> drivers;
  private final List<CudaDriver> staging;
  private final Map<Long, OwnContext> contexts = new ConcurrentHashMap<>();
  private final Map<Long, HeldStream> held = new ConcurrentHashMap<>();
  // By the contexts of the streams that were held.
  private final Map<Long, Integer> errors = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private final long signal = signal();
  private final ThreadPoolExecutor workers =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          1,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          Thread.ofPlatform().daemon().name("between-hosts").factory());

  /** {@code staging} makes the page-locked memory of each host. */
  HeldStreams(CudaHosts hosts, List<? extends CudaDriver> drivers, List<CudaDriver> staging) {
    this.hosts = hosts;
    this.ahead = hosts.ahead();
    this.drivers = drivers;
    this.staging = staging;
    workers.allowCoreThreadTimeOut(true);
    hosts.onLoss(host -> workers.execute(() -> lost(host)));
  }

  /** It lives as long as the process: a driver may call it at any time. */
  private long signal() {
    try {
      MethodHandle begins =
          MethodHandles.lookup()
              .bind(this, "begins", MethodType.methodType(void.class, long.class));
      FunctionDescriptor type = FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG);
      return Linker.nativeLinker().upcallStub(begins, type, Arena.global()).address();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the method is in this class", e);
    }
  }

  /** What is here for the context that a thread has on a host; null where it has none. */
  OwnContext contextOn(int host) {
    long context = hosts.contextOn(host);
    return context == 0
        ? null
        : contexts.computeIfAbsent(
            context,
            _ -> new OwnContext(hosts, host, context, drivers.get(host), staging.get(host)));
  }

  /**
   * A stream that waits, and the work for which it does.
   *
   * @param signals where the function runs that tells that the work may begin
   */
  private record HeldStream(
      OwnContext context, HoldWords.Word word, OwnContext signals, IntSupplier work) {}

  /**
   * Holds a stream until work is done.
   *
   * @param context a context of the stream's host
   * @param signals a context of the host of the stream whose work is before
   * @param before that stream
   * @param work runs once {@code before} gets there, unless this fails; returns a result code
   * @return {@link #NONE} where no stream can be held just now
   */
  int hold(OwnContext context, long stream, OwnContext signals, long before, IntSupplier work) {
    HoldWords.Word word = context.takeWord();
    if (word == null) {
      return NONE;
    }
    long number = numbers.incrementAndGet();
    ahead.hold(context.host());
    held.put(number, new HeldStream(context, word, signals, work));
    int result = signals.call(its -> its.cuLaunchHostFunc(before, signal, number));
    if (result == CudaResult.SUCCESS) {
      result = wait(context, stream, word);
    }
    if (result == CudaResult.SUCCESS && signals != context) {
      result = told(signals, before);
    }
    if (result != CudaResult.SUCCESS) {
      letGo(number);
    } else if (hosts.isLost(signals.host())) {
      workers.execute(() -> lost(signals.host()));
    }
    return result;
  }

  private static int wait(OwnContext context, long stream, HoldWords.Word word) {
    int result =
        context.call(its -> its.cuStreamWaitValue32_v2(stream, word.address(), word.value(), 0));
    return result == CudaResult.SUCCESS ? told(context, stream) : result;
  }

  /** Another host tells errors of posted calls with the next one that is answered. */
  private static int told(OwnContext context, long stream) {
    if (context.host() == 0) {
      return CudaResult.SUCCESS;
    }
    try (NativeBuffer captures = new NativeBuffer(Integer.BYTES)) {
      return context.call(its -> its.cuStreamIsCapturing(stream, captures.address()));
    }
  }

  /** Called by a driver, on a thread of its own. */
  @SuppressWarnings("UnusedMethod")
  private void begins(long number) {
    workers.execute(() -> run(number));
  }

  private void run(long number) {
    hosts.answering();
    HeldStream one = held.get(number);
    int result = CudaResult.OUT_OF_MEMORY;
    try {
      result = one == null ? CudaResult.SUCCESS : one.work.getAsInt();
    } finally {
      end(number, result);
    }
  }

  /** The error is there before the stream goes on: who waits for the stream is told. */
  private void end(long number, int result) {
    HeldStream one = held.get(number);
    if (one != null && result != CudaResult.SUCCESS) {
      errors.put(one.context.context(), result);
    }
    letGo(number);
  }

  private void letGo(long number) {
    HeldStream one = held.remove(number);
    if (one == null) {
      return;
    }
    int written = one.context.write(one.word);
    if (written != CudaResult.SUCCESS) {
      Log.debug("a stream of a host that is lost is held: " + written);
    }
    ahead.letGo(one.context.host());
  }

  /** What waits for a host that is lost does not begin any more. */
  private void lost(int host) {
    hosts.answering();
    held.forEach(
        (number, one) -> {
          if (one.signals.host() == host) {
            end(number, CudaResult.DEVICE_UNAVAILABLE);
          }
        });
  }

  /** The result of a call that has waited: an error of work between hosts counts as the call's. */
  int told(int result) {
    Integer error =
        result == CudaResult.SUCCESS && !errors.isEmpty()
            ? errors.remove(hosts.currentContext())
            : null;
    return error == null ? result : error;
  }

  /**
   * Waits until none is held: a driver is about to wait for all of its work, and may let nobody
   * make calls meanwhile.
   */
  void settle() {
    for (int host = 0; host < drivers.size(); host++) {
      ahead.settle(host);
    }
  }

  /** Contexts are about to end. */
  void leave(Predicate<OwnContext> which) {
    settle();
    contexts.values().removeIf(one -> which.test(one) && ended(one));
  }

  private boolean ended(OwnContext context) {
    context.end();
    errors.remove(context.context());
    return true;
  }
}
