// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Pieces whose copies a driver has been asked for and may not have done yet, in the order of the
 * stream. An event behind each says when its buffer is free.
 */
final class BulkFlight {
  /** {@code CU_EVENT_DISABLE_TIMING}. */
  private static final int WITHOUT_TIMING = 2;

  private static final int NOT_READY = CudaResult.NOT_READY;

  private record Flying(BulkBuffer piece, long event) {}

  private final CudaDriver driver;
  private final long scratch;
  private final Deque<Flying> flying = new ArrayDeque<>();

  /** {@code scratch} is the address of 8 bytes that nobody else uses meanwhile. */
  BulkFlight(CudaDriver driver, long scratch) {
    this.driver = driver;
    this.scratch = scratch;
  }

  int count() {
    return flying.size();
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
    flying.addLast(new Flying(piece, event));
    return CudaResult.SUCCESS;
  }

  /** The oldest piece, if its copy is over, however it went; null if there is none. */
  BulkBuffer landed() {
    Flying oldest = flying.peekFirst();
    return oldest != null && driver.cuEventQuery(oldest.event) != NOT_READY ? take() : null;
  }

  /** Waits for the oldest piece; what its copy returned. */
  int await() {
    return driver.cuEventSynchronize(flying.getFirst().event);
  }

  /** Takes the oldest piece out. */
  BulkBuffer take() {
    Flying oldest = flying.removeFirst();
    int unused = driver.cuEventDestroy_v2(oldest.event);
    return oldest.piece;
  }
}
