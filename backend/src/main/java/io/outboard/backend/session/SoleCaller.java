// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

/**
 * Whether a client's thread seems to be the only one that calls. Then nobody is kept waiting by a
 * call that waits, and a hand-over of the lead would only cost time: about ten microseconds, as
 * much as a short kernel. {@link LongCallWatch} corrects a wrong guess. For the leader.
 */
final class SoleCaller {
  /** So many calls in a row by one thread let us think that it is alone. */
  private static final int ROW = 32;

  private int latest;
  private int row;

  /** A thread has called. */
  void called(int thread) {
    row = thread == latest ? row + 1 : 0;
    latest = thread;
  }

  /** Whether a thread seems to be alone. */
  boolean alone(int thread) {
    return thread == latest && row >= ROW;
  }
}
