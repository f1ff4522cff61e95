// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.slices;

import io.outboard.backend.library.LeasedObjects;
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
  // Who knows the queue, where it is no stream of CUDA.
  private final LeasedObjects[] owners = new LeasedObjects[MOST];
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

  /** The same of another library's queue, which is kept alive until the work is over. */
  void add(LeasedObjects owner, long queue) {
    pieces++;
    for (int i = 0; i < places; i++) {
      if (owners[i] == owner && streams[i] == queue) {
        owner.done(queue, 0);
        return;
      }
    }
    contexts[places] = 0;
    owners[places] = owner;
    streams[places++] = queue;
  }

  private int find(long context, long stream) {
    for (int i = 0; i < places; i++) {
      if (streams[i] == stream && contexts[i] == context && owners[i] == null) {
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
      if (streams[i] == stream && owners[i] == null) {
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
      marks[i] = owners[i] == null ? mark(by, thread, i) : owners[i].mark(streams[i]);
    }
  }

  private long mark(WorkMarks by, CurrentContext thread, int place) {
    thread.enter(contexts[place]);
    return by.mark(contexts[place], streams[place]);
  }

  /** Asks the driver, at a time, whether all of it is done. */
  void look(WorkMarks by, CurrentContext thread, long now) {
    done = passed(by, thread);
    lasted = done ? lasted : now;
  }

  private boolean passed(WorkMarks by, CurrentContext thread) {
    for (int i = 0; i < places; i++) {
      if (marks[i] != 0 && !passed(by, thread, i)) {
        return false;
      }
    }
    return true;
  }

  private boolean passed(WorkMarks by, CurrentContext thread, int place) {
    if (owners[place] != null) {
      return owners[place].isOver(marks[place]);
    }
    thread.enter(contexts[place]);
    return by.isDone(marks[place]);
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
      if (owners[i] != null) {
        owners[i].done(streams[i], marks[i]);
      } else if (marks[i] != 0) {
        by.give(contexts[i], marks[i]);
      }
    }
  }

  /** A context ends: its work is not waited for. */
  void forget(long context) {
    for (int i = 0; i < places; i++) {
      marks[i] = owners[i] == null && contexts[i] == context ? 0 : marks[i];
    }
  }
}
