// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.stream;

import io.outboard.wire.Control;
import java.io.IOException;

/** The messages of a control connection, either side's view. */
public final class ControlStream {
  /** How long either side may take for a message, in milliseconds. */
  public static final int TIMEOUT_MS = 30_000;

  private final int descriptor;

  /** Talks over a connection that has been greeted; the descriptor stays the caller's. */
  public ControlStream(int descriptor) {
    this.descriptor = descriptor;
  }

  /**
   * Sends a message.
   *
   * @throws IOException if the peer goes or takes too long
   */
  public void send(Control.Kind kind, String text) throws IOException {
    new MessageStream(descriptor, TIMEOUT_MS).send(new Control(kind, text).encode());
  }

  /**
   * Waits for a message.
   *
   * @throws io.outboard.wire.ProtocolException if what comes is none
   * @throws IOException if the peer goes or takes too long
   */
  public Control receive() throws IOException {
    return receive(TIMEOUT_MS);
  }

  /**
   * Waits so many milliseconds for a message, of a peer that has much to do for it.
   *
   * @throws io.outboard.wire.ProtocolException if what comes is none
   * @throws IOException if the peer goes or takes too long
   */
  public Control receive(int milliseconds) throws IOException {
    return Control.decode(new MessageStream(descriptor, milliseconds).receive());
  }
}
