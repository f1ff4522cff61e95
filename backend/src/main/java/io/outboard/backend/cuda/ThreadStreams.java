// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.cuda;

import io.outboard.wire.Handles;
import io.outboard.wire.Limits;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The default streams of a client's threads, one for each thread and context; looking one up takes
 * no lock. A number of a thread that has ended is used again, and its streams with it. A stream
 * ends with its context.
 */
final class ThreadStreams {
  private static final int FIRST_SIZE = 64;

  // By the index of the context's handle.
  private final AtomicReferenceArray<OfContext> contexts = new AtomicReferenceArray<>(Limits.LANES);
  // The primary contexts of the devices; guarded by this object's monitor.
  private long[] primaries = {};

  /** The streams of one context, by thread. */
  private static final class OfContext {
    final long handle;
    final long value;
    volatile long[] streams = new long[FIRST_SIZE];

    OfContext(long handle, long value) {
      this.handle = handle;
      this.value = value;
    }
  }

  /** The stream of a thread in a context, 0 if it has none yet. */
  long find(int thread, long handle) {
    OfContext own = contexts.get(Handles.index(handle));
    if (own == null || own.handle != handle) {
      return 0;
    }
    long[] streams = own.streams;
    return thread < streams.length ? streams[thread] : 0;
  }

  /** Gives a thread its stream in a context, whose value for the driver is {@code value}. */
  synchronized void put(int thread, long handle, long value, long stream) {
    OfContext own = contexts.get(Handles.index(handle));
    if (own == null || own.handle != handle) {
      own = new OfContext(handle, value);
    }
    long[] streams =
        Arrays.copyOf(own.streams, Math.max(own.streams.length, Integer.highestOneBit(thread) * 2));
    streams[thread] = stream;
    own.streams = streams;
    contexts.set(Handles.index(handle), own);
  }

  /** A context has ended, and its streams with it. */
  synchronized void forget(long value) {
    for (int i = 0; i < contexts.length(); i++) {
      OfContext own = contexts.get(i);
      if (own != null && own.value == value) {
        contexts.set(i, null);
      }
    }
  }

  /** The primary context of a device is {@code value}. */
  synchronized void primary(int device, long value) {
    primaries = Arrays.copyOf(primaries, Math.max(primaries.length, device + 1));
    primaries[device] = value;
  }

  /** The primary context of a device has ended, its value stays. */
  synchronized void forgetPrimary(int device) {
    if (device < primaries.length && primaries[device] != 0) {
      forget(primaries[device]);
    }
  }
}
