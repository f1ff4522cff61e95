// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.route;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongToIntFunction;
import java.util.function.ToIntFunction;

/** What this process has for itself in a context of the program, for work between hosts. */
final class OwnContext {
  /** {@code CU_STREAM_NON_BLOCKING}: it does not wait for the default stream, which may be held. */
  private static final int NON_BLOCKING = 1;

  private final CudaHosts hosts;
  private final int host;
  private final long context;
  private final CudaDriver driver;
  private final CudaDriver staging;
  // All are guarded by this object's monitor. Null until a stream is held.
  private HoldWords words;
  private final Deque<Long> idle = new ArrayDeque<>();

  /** {@code staging} makes the host's page-locked memory. */
  OwnContext(CudaHosts hosts, int host, long context, CudaDriver driver, CudaDriver staging) {
    this.hosts = hosts;
    this.host = host;
    this.context = context;
    this.driver = driver;
    this.staging = staging;
  }

  int host() {
    return host;
  }

  long context() {
    return context;
  }

  /** Makes a call in it. */
  int call(ToIntFunction<CudaDriver> call) {
    return hosts.in(context, _ -> call.applyAsInt(driver));
  }

  /** Takes a word to hold a stream; null if there is none. */
  synchronized HoldWords.Word takeWord() {
    if (words == null) {
      int unused = hosts.in(context, _ -> makeWords());
    }
    return words == null ? null : words.take();
  }

  private int makeWords() {
    words = HoldWords.make(staging);
    return CudaResult.SUCCESS;
  }

  /** Lets a stream go that waits for a word. */
  int write(HoldWords.Word word) {
    HoldWords own = words();
    return hosts.in(context, _ -> own.write(word));
  }

  private synchronized HoldWords words() {
    return words;
  }

  /** Takes a stream that nobody uses; 0 if there is none. */
  long takeStream() {
    Long known = pollIdle();
    if (known != null) {
      return known;
    }
    try (NativeBuffer handle = new NativeBuffer(Long.BYTES)) {
      int made = call(its -> its.cuStreamCreate(handle.address(), NON_BLOCKING));
      return made == CudaResult.SUCCESS ? Native.getLong(handle.address()) : 0;
    }
  }

  private synchronized Long pollIdle() {
    return idle.poll();
  }

  /** Does work with a stream of this process; returns its result. */
  int inStream(LongToIntFunction work) {
    long stream = takeStream();
    if (stream == 0) {
      return CudaResult.OUT_OF_MEMORY;
    }
    try {
      return work.applyAsInt(stream);
    } finally {
      int unused = giveBack(stream);
    }
  }

  /** Nothing is in a stream any more. */
  synchronized int giveBack(long stream) {
    idle.push(stream);
    return CudaResult.SUCCESS;
  }

  /** The context is about to end; nothing uses what is here any more. */
  synchronized void end() {
    int unused = call(this::endAll);
    idle.clear();
    words = null;
  }

  private int endAll(CudaDriver its) {
    idle.forEach(its::cuStreamDestroy_v2);
    return words == null ? CudaResult.SUCCESS : words.end();
  }
}
