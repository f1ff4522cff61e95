// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.slices;

import io.outboard.backend.quota.CurrentContext;

/**
 * Work that was begun, in some streams of a device. The holder of the lock of a {@link SliceMeter}
 * uses it, but one thread at a time looks for finished work without the lock.
 */
final class WorkBatch {
  /** Most streams. */
  static final int MOST = 16;

  private final long[] contexts = new long[MOST];
  private final long[] streams = new long[MOST];
  private final long[] marks = new long[MOST];
  private int places;
  private int pieces;
  private long closed;
  // Of who looks.
  private long lasted;
  private boolean done;

  /** A piece of work was begun in a stream; there must be room. */
  void add(long context, long stream) {
    pieces++;
    if (find(context, stream) < 0) {
      contexts[places] = context;
      streams[places++] = stream;
    }
  }

  private int find(long context, long stream) {
    for (int i = 0; i < places; i++) {
      if (streams[i] == stream && contexts[i] == context) {
        return i;
      }
    }
    return -1;
  }

  boolean isFull() {
    return places == MOST;
  }

  boolean has(long stream) {
    for (int i = 0; i < places; i++) {
      if (streams[i] == stream) {
        return true;
      }
    }
    return false;
  }

  /** Pieces of work. */
  int pieces() {
    return pieces;
  }

  /** When it was closed. */
  long closed() {
    return closed;
  }

  /** Marks its end in each stream. */
  void close(WorkMarks by, CurrentContext thread, long now) {
    closed = now;
    lasted = now;
    for (int i = 0; i < places; i++) {
      thread.enter(contexts[i]);
      marks[i] = by.mark(contexts[i], streams[i]);
    }
  }

  /** Asks the driver, at a time, whether all of it is done. */
  void look(WorkMarks by, CurrentContext thread, long now) {
    done = passed(by, thread);
    lasted = done ? lasted : now;
  }

  private boolean passed(WorkMarks by, CurrentContext thread) {
    for (int i = 0; i < places; i++) {
      if (marks[i] != 0) {
        thread.enter(contexts[i]);
        if (!by.isDone(marks[i])) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether all of it was done at the last look. */
  boolean isDone() {
    return done;
  }

  /** Until when it is known to have lasted: the last look at which it was not done. */
  long lasted() {
    return lasted;
  }

  /** It is done, and its marks are not needed any more. */
  void giveBack(WorkMarks by) {
    for (int i = 0; i < places; i++) {
      if (marks[i] != 0) {
        by.give(contexts[i], marks[i]);
      }
    }
  }

  /** A context ends: its work is not waited for. */
  void forget(long context) {
    for (int i = 0; i < places; i++) {
      marks[i] = contexts[i] == context ? 0 : marks[i];
    }
  }
}
