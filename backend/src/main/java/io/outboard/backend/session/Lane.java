// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;

/** One lane; all of it is guarded by the lock of {@link Lanes}. */
final class Lane {
  final Runnable drain;
  final Deque<CallFrame> queue = new ArrayDeque<>();
  // Whether its context lives, as far as the reader knows.
  boolean open;
  // Bytes of the bodies in the queue.
  long bytes;
  // Whether a thread issues this lane's calls.
  boolean held;
  // Arrival of the call being issued by that thread, 0 for none.
  long issuing;

  /** {@code drain} issues the calls of the queue. */
  Lane(Function<Lane, Runnable> drain) {
    this.drain = drain.apply(this);
  }

  /** Arrival of the first call that is not issued yet. */
  long first() {
    if (issuing != 0) {
      return issuing;
    }
    return queue.isEmpty() ? Long.MAX_VALUE : queue.peekFirst().arrival;
  }

  boolean busy() {
    return held || !queue.isEmpty();
  }
}
