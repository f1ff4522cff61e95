// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.slices;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Events behind work in streams, that say when it is done; for the holder of the lock of a {@link
 * SliceMeter}. Whether one is done may be asked without it.
 */
final class WorkMarks {
  /** {@code CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING}. */
  private static final int FLAGS = 3;

  private static final int CAPTURES_NOT = 0;

  private final Supplier<CudaDriver> driver;
  private final NativeBuffer buffer = new NativeBuffer(Long.BYTES);
  // Those that nobody uses, by their contexts.
  private final Map<Long, Deque<Long>> spare = new HashMap<>();

  WorkMarks(Supplier<CudaDriver> driver) {
    this.driver = driver;
  }

  /**
   * Marks the end of what is in a stream of the context that is current; 0 where that cannot be:
   * the stream captures, so that there is no work in it, or the context is broken.
   */
  long mark(long context, long stream) {
    if (driver.get().cuStreamIsCapturing(stream, buffer.address()) != CudaResult.SUCCESS
        || Native.getInt(buffer.address()) != CAPTURES_NOT) {
      return 0;
    }
    long event = take(context);
    if (event != 0 && driver.get().cuEventRecord(event, stream) != CudaResult.SUCCESS) {
      give(context, event);
      return 0;
    }
    return event;
  }

  private long take(long context) {
    Deque<Long> unused = spare.get(context);
    if (unused != null && !unused.isEmpty()) {
      return unused.removeLast();
    }
    return driver.get().cuEventCreate(buffer.address(), FLAGS) == CudaResult.SUCCESS
        ? Native.getLong(buffer.address())
        : 0;
  }

  /** Whether the work before a mark is done, or will never be. */
  boolean isDone(long event) {
    return driver.get().cuEventQuery(event) != CudaResult.NOT_READY;
  }

  /** A mark is not needed any more. */
  void give(long context, long event) {
    spare.computeIfAbsent(context, _ -> new ArrayDeque<>()).addLast(event);
  }

  /** A context ends, and its events with it. */
  void forget(long context) {
    spare.remove(context);
  }
}
