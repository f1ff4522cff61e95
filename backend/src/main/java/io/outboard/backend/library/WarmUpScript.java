// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.library;

import io.outboard.wire.Caller;
import java.util.function.IntConsumer;

/**
 * Calls of one library that nobody needs, for a worker that has time: the virtual machine compiles
 * what they run through.
 */
public interface WarmUpScript {
  /** The library's number in the frames of the warm-up. */
  int number();

  /** Opens the library for a warm-up session; no device is touched. */
  LibraryInstance open(SessionContext context);

  /** One client's part. */
  interface Part {
    /** Makes each call of the piece; returns whether they succeeded. */
    boolean play();
  }

  /**
   * Begins a session, as a client.
   *
   * @param caller carries its calls
   * @param lane takes the lane of all later calls
   */
  Part begin(Caller caller, IntConsumer lane);
}
