// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.warmup;

import io.outboard.backend.session.CallFrame;
import io.outboard.wire.Dispatcher;
import io.outboard.wire.ProtocolException;

/**
 * Dispatches a call of every number, each without a body and so malformed. The compiler leaves out
 * of a switch what it has never seen taken, and throws its work away when a program then takes it.
 */
final class EveryNumber {
  /** It has taken no frame: no body, no session. */
  private static final CallFrame EMPTY = new CallFrame(null, null, null);

  private EveryNumber() {}

  static void dispatch(Dispatcher dispatcher) {
    for (int number = 1; number <= dispatcher.level(); number++) {
      try {
        int unused = dispatcher.answering(number) + dispatcher.dispatch(number, EMPTY);
      } catch (ProtocolException e) {
        // As it must be.
      }
    }
  }
}
