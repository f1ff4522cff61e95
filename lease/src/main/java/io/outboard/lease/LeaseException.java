// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

/** A request about leases cannot be granted; the message says why, for the caller. */
public final class LeaseException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Creates one. */
  public LeaseException(String message) {
    super(message);
  }
}
