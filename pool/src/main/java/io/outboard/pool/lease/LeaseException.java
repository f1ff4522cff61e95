// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.lease;

/** What is asked of leases cannot be done; the message says why, for who asks. */
public final class LeaseException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Creates one. */
  public LeaseException(String message) {
    super(message);
  }
}
