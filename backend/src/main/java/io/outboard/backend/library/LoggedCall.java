// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.library;

import io.outboard.wire.Call;

/** A call of a session whose calls are logged. */
public interface LoggedCall extends Call {
  /** Its number in the session. */
  long sequence();

  /** The client's thread that makes it, from 0. */
  int thread();

  /**
   * The library's value of the thread's own object that the call has used; 0 if it has used none.
   */
  long own();
}
