// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.wire.Dispatcher;
import java.util.BitSet;

/** A library opened for one session. */
public interface LibraryInstance extends AutoCloseable {
  /** Decodes and issues its calls. */
  Dispatcher dispatcher();

  /** The calls that the device behind it has. */
  BitSet calls();

  /**
   * Prepares the executing thread for a call: the vendor keys state to threads, and a client's
   * calls are run by whichever thread reads them.
   *
   * @param lane the frame's lane
   * @param thread the client's thread
   */
  void enter(int lane, int thread);

  /**
   * Returns the value of the own object of a client's thread in a lane, for which the vendor has a
   * special value that means an object of the executing thread.
   *
   * @return the value, or {@link io.outboard.wire.Handles#INVALID}
   */
  default long perThread(int lane, int thread, int kind, long special) {
    return special;
  }

  /** A call that may wait has returned this result; its answer has not been sent yet. */
  default void waited(int result) {}

  /** Whether its calls use devices, and not only ask about them. */
  default boolean usesDevices() {
    return true;
  }

  /** What the session has on devices by it. */
  default HeldDevices held() {
    return HeldDevices.NONE;
  }

  /** A thread of the client has ended. */
  void threadEnded(int thread);

  /** Frees what the session held. */
  @Override
  void close();
}
