// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import io.outboard.communicator.posix.Posix;
import io.outboard.wire.ProtocolException;
import java.io.IOException;

/** A connection that is not anybody's yet. */
final class OpenSocket {
  /** The exchange that has to succeed over it. */
  @FunctionalInterface
  interface Conversation<T> {
    T over(int socket) throws IOException;
  }

  private OpenSocket() {}

  /**
   * Holds a conversation; one that fails closes the socket.
   *
   * @param name begins the message about a backend that breaks the protocol
   * @throws IOException if it fails; that is what a malformed answer is too
   */
  static <T> T hold(int socket, String name, Conversation<T> conversation) throws IOException {
    try {
      return conversation.over(socket);
    } catch (ProtocolException e) {
      Posix.close(socket);
      throw new IOException(name + e.getMessage(), e);
    } catch (IOException | RuntimeException e) {
      Posix.close(socket);
      throw e;
    }
  }
}
