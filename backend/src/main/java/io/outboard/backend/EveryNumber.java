// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.wire.Call;
import io.outboard.wire.Callbacks;
import io.outboard.wire.Dispatcher;
import io.outboard.wire.Handles;
import io.outboard.wire.ProtocolException;

/**
 * Dispatches a call of every number, each without a body and so malformed. The compiler leaves out
 * of a switch what it has never seen taken, and throws its work away when a program then takes it.
 */
final class EveryNumber {
  private static final Call EMPTY = new Empty();

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

  private static final class Empty implements Call {
    @Override
    public long body() {
      return 0;
    }

    @Override
    public int bodyBytes() {
      return 0;
    }

    @Override
    public int flags() {
      return 0;
    }

    @Override
    public long payload() {
      return 0;
    }

    @Override
    public long payloadBytes() {
      return 0;
    }

    @Override
    public Handles handles() {
      return null;
    }

    @Override
    public Callbacks callbacks() {
      return null;
    }

    @Override
    public long answer(int bytes) {
      throw new ProtocolException("an answer to nothing");
    }

    @Override
    public void answered(int bytes) {}
  }
}
