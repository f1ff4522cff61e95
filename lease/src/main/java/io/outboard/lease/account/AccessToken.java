// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.account;

import java.time.Instant;

/**
 * A token of the HTTP interface, without its secret, which nobody but its holder has.
 *
 * @param id by which people name it
 * @param standing what its holder is to the office
 * @param note what it is for, for people
 * @param created when it was made
 * @param expires when it ends
 * @param revoked whether it has been taken back
 */
public record AccessToken(
    String id, Standing standing, String note, Instant created, Instant expires, boolean revoked) {
  /** Whether it is good now. */
  public boolean isGood(Instant now) {
    return !revoked && now.isBefore(expires);
  }

  /** Its holder. */
  public Caller caller() {
    return new Caller(id, standing, expires);
  }
}
