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
  // That call's sequence, if nobody waits for its answer.
  long posted = Long.MAX_VALUE;

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

  /** Sequence of the first call that is not issued yet and that nobody waits for. */
  long firstPosted() {
    if (posted != Long.MAX_VALUE) {
      return posted;
    }
    for (CallFrame call : queue) {
      if (!call.answered()) {
        return call.sequence;
      }
    }
    return Long.MAX_VALUE;
  }

  void issues(CallFrame call) {
    issuing = call.arrival;
    posted = call.answered() ? Long.MAX_VALUE : call.sequence;
  }

  boolean busy() {
    return held || !queue.isEmpty();
  }
}
