// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import io.outboard.wire.Frame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Frames that wait to be written, one after the other in memory. Two buffers take turns: one fills
 * while the other is written. Guarded by its user's lock.
 */
final class GatheredFrames {
  private static final int BYTES = 256 << 10;

  /** A larger frame is not worth a copy. */
  static final int LARGEST = BYTES / 4;

  /** So much more for one bare frame, which never waits for room. */
  private static final int SPARE = Frame.HEADER;

  private final MemorySegment memory = Arena.ofAuto().allocate(2L * (BYTES + SPARE), 8);
  private long filling = memory.address();
  private long full = filling + BYTES + SPARE;
  private int filled;

  /**
   * The address of room for so many more bytes, which are filled from now on; 0 if there is none.
   */
  long room(int bytes) {
    return bytes <= BYTES - filled ? next(bytes) : 0;
  }

  /** The same for the bare frame. */
  long spareRoom() {
    return next(SPARE);
  }

  private long next(int bytes) {
    long at = filling + filled;
    filled += bytes;
    return at;
  }

  boolean isEmpty() {
    return filled == 0;
  }

  /**
   * The other buffer fills from now on.
   *
   * @return how many bytes {@link #full} has
   */
  int turn() {
    long before = filling;
    filling = full;
    full = before;
    int bytes = filled;
    filled = 0;
    return bytes;
  }

  /** The address of the buffer that filled before. */
  long full() {
    return full;
  }
}
