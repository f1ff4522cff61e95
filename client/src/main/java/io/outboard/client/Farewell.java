// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import io.outboard.communicator.greeting.RefusedException;
import io.outboard.communicator.posix.Posix;
import io.outboard.wire.Refusal;
import java.io.IOException;

/**
 * Asks a backend why a session is over that ended with its connection (PROTOCOL.md, Resumption): a
 * backend that ends a session just ends its worker, whatever that does.
 */
record Farewell(Reconnection reconnection) {
  /** The greeting may take {@link Reconnection#GREETINGS} times as long. */
  private static final int CONNECT_MS = 500;

  /** The cause of a loss, with what the backend says of it. */
  String explain(String cause) {
    try {
      Posix.close(reconnection.connect(CONNECT_MS));
      return cause;
    } catch (RefusedException e) {
      return e.refusal().code() == Refusal.SESSION ? gone(cause, e.getMessage()) : cause;
    } catch (IOException e) {
      return cause;
    }
  }

  /** For people: the cause of a loss, and what the backend says of the session's end. */
  static String gone(String cause, String why) {
    return cause + ", and its session is gone: " + why;
  }
}
