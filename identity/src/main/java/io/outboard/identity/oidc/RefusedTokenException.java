// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.oidc;

/** A token is none for which its provider vouches here; the message says why. */
public final class RefusedTokenException extends Exception {
  private static final long serialVersionUID = 1L;

  public RefusedTokenException(String message) {
    super(message);
  }

  public RefusedTokenException(String message, Throwable cause) {
    super(message, cause);
  }
}
