// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import java.util.function.IntSupplier;

/**
 * Calls of a thread that nobody has answered. A device that waits for a function of the program may
 * hold up all of them, and once the backend has no room for more it does not read that the function
 * has returned (PROTOCOL.md, <em>Callbacks</em>).
 */
final class Backlog {
  /** Half of a lane's bounds, for all threads together. */
  private static final int CALLS = 512;

  private static final long BYTES = 8 << 20;

  private final ClientFunctions functions;
  private final IntSupplier threads;
  private int calls;
  private long bytes;

  Backlog(ClientFunctions functions, IntSupplier threads) {
    this.functions = functions;
    this.threads = threads;
  }

  /** Counts a call that is to be posted; true if it has to be answered instead. */
  boolean isFull(long more) {
    if (!functions.areExpected()) {
      answered();
      return false;
    }
    int sharing = threads.getAsInt();
    calls++;
    bytes += more;
    return calls > CALLS / sharing || bytes > BYTES / sharing;
  }

  /** All that was posted has been issued. */
  void answered() {
    calls = 0;
    bytes = 0;
  }
}
