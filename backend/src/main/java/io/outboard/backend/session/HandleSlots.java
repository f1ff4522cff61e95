// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import io.outboard.wire.Handles;
import io.outboard.wire.Limits;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The handles of one kind that one side mints, by index. {@link #value} needs no lock; the caller
 * of the other methods that look at a slot holds the table's.
 */
final class HandleSlots {
  /** Link: the owner. */
  static final int OWNER = 0;

  /** Link: the first of those that it owns. */
  static final int CHILD = 1;

  /** Link: the owner's next. */
  static final int NEXT = 2;

  /** Link: the owner's previous. */
  static final int PREVIOUS = 3;

  private static final int LINKS = 4;
  private static final int FIRST_SIZE = 64;
  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  /** Two words a slot: the handle (0 if free), and the library's value. */
  private volatile long[] slots = {};

  private long[] links = {};
  private char[] generations = {};

  /** Free indexes, a stack through {@code following}; index 0 is nobody's. */
  private int[] following = {};

  private int free;
  private int used = 1;

  /** The value of a handle, or {@link Handles#INVALID}; takes no lock. */
  long value(long handle) {
    long[] now = slots;
    int at = 2 * Handles.index(handle);
    if (at >= now.length || (long) WORDS.getAcquire(now, at) != handle || handle == 0) {
      return Handles.INVALID;
    }
    long value = (long) WORDS.getAcquire(now, at + 1);
    // The slot may have been taken by another handle between the two reads.
    return (long) WORDS.getOpaque(now, at) == handle ? value : Handles.INVALID;
  }

  /** The handle that has an index now, 0 if none. */
  long handleAt(int index) {
    long[] now = slots;
    return 2 * index < now.length ? (long) WORDS.getAcquire(now, 2 * index) : 0;
  }

  void put(long handle, long value) {
    int index = Handles.index(handle);
    grow(index);
    WORDS.setRelease(slots, 2 * index + 1, value);
    WORDS.setRelease(slots, 2 * index, handle);
  }

  void clear(long handle) {
    int index = Handles.index(handle);
    Arrays.fill(links, LINKS * index, LINKS * (index + 1), 0);
    WORDS.setRelease(slots, 2 * index, 0L);
  }

  long link(long handle, int which) {
    return links[LINKS * Handles.index(handle) + which];
  }

  void link(long handle, int which, long other) {
    links[LINKS * Handles.index(handle) + which] = other;
  }

  /** Takes an index for a handle minted here; {@link Limits#HANDLES} if there is none. */
  int takeIndex() {
    if (free == 0) {
      return used < Limits.HANDLES ? used++ : Limits.HANDLES;
    }
    int index = free;
    free = following[index];
    return index;
  }

  void giveIndex(int index) {
    following[index] = free;
    free = index;
  }

  /** Counts an index's uses, so that a stale handle is told apart. */
  int nextGeneration(int index) {
    grow(index);
    return ++generations[index];
  }

  private void grow(int index) {
    int size = slots.length / 2;
    if (index >= size) {
      int larger = Math.max(FIRST_SIZE, Math.max(2 * size, index + 1));
      links = Arrays.copyOf(links, LINKS * larger);
      generations = Arrays.copyOf(generations, larger);
      following = Arrays.copyOf(following, larger);
      slots = Arrays.copyOf(slots, 2 * larger);
    }
  }
}
