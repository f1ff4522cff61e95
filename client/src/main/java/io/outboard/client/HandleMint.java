// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import io.outboard.wire.Bytes;
import io.outboard.wire.Handles;
import io.outboard.wire.Limits;
import java.util.Arrays;

/**
 * Mints a client's handles as {@link Handles} lays them out: origin 0, indices from 1, generations
 * from 0. An index comes back with another generation after the others that were free before it, so
 * that a stale handle is told apart for long.
 */
final class HandleMint {
  private static final int SESSION_SHIFT = 41;
  private static final int SESSIONS = 1 << 6;
  private static final int KIND_SHIFT = 34;
  private static final int KINDS = 64;
  private static final int GENERATION_SHIFT = 20;
  private static final int GENERATIONS = 1 << 14;

  private final long session;
  private final Kind[] kinds = new Kind[KINDS];

  /** The first byte of a session's identity tells its handles from those of another. */
  HandleMint(Bytes identity) {
    this(identity.toArray()[0]);
  }

  /** The session's tag tells its handles from those of another. */
  HandleMint(int tag) {
    session = (long) (tag & (SESSIONS - 1)) << SESSION_SHIFT;
  }

  /**
   * Mints a handle.
   *
   * @throws IllegalStateException if {@link Limits#HANDLES} of that kind are alive
   */
  synchronized long mint(int kind) {
    if (kinds[kind] == null) {
      kinds[kind] = new Kind();
    }
    int index = kinds[kind].take();
    return handle(kind, kinds[kind].generation[index], index);
  }

  /** Ends a handle; one that is not alive or was not minted here is none of our business. */
  synchronized void retire(long handle) {
    Kind kind = kinds[Handles.kind(handle)];
    int index = Handles.index(handle);
    if (kind != null
        && index != 0
        && index < kind.next
        && handle == handle(Handles.kind(handle), kind.generation[index], index)) {
      kind.give(index);
    }
  }

  private long handle(int kind, int generation, int index) {
    return session | (long) kind << KIND_SHIFT | (long) generation << GENERATION_SHIFT | index;
  }

  /** The indices of one kind; those that are free form a queue through {@code following}. */
  private static final class Kind {
    private int next = 1;
    private int first;
    private int last;
    private char[] generation = new char[16];
    private int[] following = new int[16];

    int take() {
      if (first == 0) {
        return fresh();
      }
      int index = first;
      first = following[index];
      return index;
    }

    private int fresh() {
      if (next == Limits.HANDLES) {
        throw new IllegalStateException("too many handles of one kind");
      }
      if (next == generation.length) {
        generation = Arrays.copyOf(generation, 2 * next);
        following = Arrays.copyOf(following, 2 * next);
      }
      return next++;
    }

    void give(int index) {
      generation[index] = (char) ((generation[index] + 1) % GENERATIONS);
      following[index] = 0;
      if (first == 0) {
        first = index;
      } else {
        following[last] = index;
      }
      last = index;
    }
  }
}
