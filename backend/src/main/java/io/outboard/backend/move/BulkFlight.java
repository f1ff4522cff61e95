// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Pieces whose copies a driver has been asked for and may not have done yet, in the order of each
 * stream. An event behind each says when its buffer is free.
 */
final class BulkFlight {
  /** {@code CU_EVENT_DISABLE_TIMING}. */
  private static final int WITHOUT_TIMING = 2;

  private record Flying(BulkBuffer piece, long event) {}

  private final CudaDriver driver;
  private final long scratch;
  // By stream: one that waits holds up no other. None is empty.
  private final Map<Long, Deque<Flying>> streams = new LinkedHashMap<>();
  private int count;

  /** {@code scratch} is the address of 8 bytes that nobody else uses meanwhile. */
  BulkFlight(CudaDriver driver, long scratch) {
    this.driver = driver;
    this.scratch = scratch;
  }

  int count() {
    return count;
  }

  /**
   * Adds a piece whose copy has just been asked for.
   *
   * @return why that cannot be followed: the copy is then done, or will never be
   */
  int add(BulkBuffer piece, long stream) {
    int result = driver.cuEventCreate(scratch, WITHOUT_TIMING);
    if (result != CudaResult.SUCCESS) {
      int unused = driver.cuStreamSynchronize(stream);
      return result;
    }
    long event = Native.getLong(scratch);
    result = driver.cuEventRecord(event, stream);
    if (result != CudaResult.SUCCESS) {
      int unused = driver.cuStreamSynchronize(stream) + driver.cuEventDestroy_v2(event);
      return result;
    }
    streams.computeIfAbsent(stream, _ -> new ArrayDeque<>()).addLast(new Flying(piece, event));
    count++;
    return CudaResult.SUCCESS;
  }

  /** A piece whose copy is over, however it went; null if there is none. */
  BulkBuffer landed() {
    for (Map.Entry<Long, Deque<Flying>> stream : streams.entrySet()) {
      if (driver.cuEventQuery(stream.getValue().getFirst().event) != CudaResult.NOT_READY) {
        return take(stream.getKey());
      }
    }
    return null;
  }

  /** Waits for the first piece of a stream; what its copy returned. */
  int await() {
    return driver.cuEventSynchronize(streams.values().iterator().next().getFirst().event);
  }

  /** Takes out the piece that {@link #await} waits for. */
  BulkBuffer take() {
    return take(streams.keySet().iterator().next());
  }

  private BulkBuffer take(long stream) {
    Deque<Flying> pieces = streams.get(stream);
    Flying oldest = pieces.removeFirst();
    if (pieces.isEmpty()) {
      streams.remove(stream);
    }
    count--;
    int unused = driver.cuEventDestroy_v2(oldest.event);
    return oldest.piece;
  }
}
