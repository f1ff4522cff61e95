// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.route;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Words that streams of a context wait for. They lie in page-locked memory of the host's worker,
 * which writes them without its device: no stream that writes could stand behind one that waits.
 */
final class HoldWords {
  /** So many streams of a context are held at a time. */
  static final int COUNT = 1024;

  private final CudaDriver staging;
  private final long address;
  // Guarded by this object's monitor.
  private final Deque<Integer> free = new ArrayDeque<>();
  private final int[] values = new int[COUNT];

  private HoldWords(CudaDriver staging, long address) {
    this.staging = staging;
    this.address = address;
    for (int i = 0; i < COUNT; i++) {
      free.add(i);
    }
  }

  /** Makes them for the thread's context; null if there is no memory. */
  static HoldWords make(CudaDriver staging) {
    try (NativeBuffer pointer = new NativeBuffer(Long.BYTES)) {
      int made = staging.outboardStagingMake(pointer.address(), (long) COUNT * Integer.BYTES);
      return made == CudaResult.SUCCESS
          ? new HoldWords(staging, Native.getLong(pointer.address()))
          : null;
    }
  }

  /**
   * A word, and the value that lets the stream go: a larger one does too, so that the word may be
   * another stream's as soon as it is written.
   */
  record Word(int index, long address, int value) {}

  /** Takes one; null if there is none. */
  synchronized Word take() {
    Integer index = free.poll();
    return index == null
        ? null
        : new Word(index, address + (long) index * Integer.BYTES, ++values[index]);
  }

  /** Lets the stream go. */
  int write(Word word) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocateFrom(ValueLayout.JAVA_INT, word.value());
      return staging.outboardStagingStore(word.address(), value.address(), Integer.BYTES);
    } finally {
      giveBack(word);
    }
  }

  private synchronized void giveBack(Word word) {
    free.add(word.index());
  }

  /** No stream waits any more. */
  int end() {
    return staging.outboardStagingEnd(address);
  }
}
