// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.call;

import io.outboard.offload.OffloadException;

/** Decides where calls run. Used by many threads. */
public interface Choice {
  /**
   * Whether the next call of a method runs on the backend.
   *
   * @param size of its arguments, in bytes and roughly
   */
  boolean isRemote(OffloadMethod<?> method, long size);

  /**
   * A call has returned.
   *
   * @param size as it was before
   * @param remote whether it ran on the backend
   * @param nanoseconds that it took
   */
  default void ended(OffloadMethod<?> method, long size, boolean remote, long nanoseconds) {}

  /**
   * The backend has told how many calls run there, of all its clients.
   *
   * @param running without the one that it has told it with
   * @param processors on which they run together
   */
  default void load(int running, int processors) {}

  /**
   * Returns where a call that has failed there may run here instead: it has not begun, or may be
   * repeated.
   *
   * @throws OffloadException the same, where it may not
   */
  default void fallBack(OffloadMethod<?> method, OffloadException failure) {
    boolean lost = failure.kind() == OffloadException.Kind.LOST && method.repeatable();
    if (failure.kind() != OffloadException.Kind.NOT_BEGUN && !lost) {
      throw failure;
    }
  }
}
