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

  /** A thread of the client has ended. */
  void threadEnded(int thread);

  /** Frees what the session held. */
  @Override
  void close();
}
