// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.worker;

/** The session was not opened; the client has been told why. */
public final class RefusedSession extends Exception {
  private static final long serialVersionUID = 1L;

  RefusedSession(String message, Throwable cause) {
    super(message, cause);
  }
}
