// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.store;

/** A store cannot be used, or refuses a change; the message says why. */
public class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates one. */
  public StoreException(String message) {
    super(message);
  }

  /** Creates one. */
  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
