// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.account;

import io.outboard.wire.Bytes;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The tenants and the tokens of the HTTP interface; part of a {@code LeaseStore}, with the same
 * promises.
 */
public interface AccountStore {
  /**
   * Adds a token.
   *
   * @param hash of its secret, SHA-256
   */
  void add(AccessToken token, Bytes hash);

  /** Removes the tokens that had ended by then, whether or not they were taken back. */
  void forget(Instant before);

  /**
   * Takes a token back.
   *
   * @throws StoreException also if there is none
   */
  AccessToken revoke(String id);

  /** All tokens, by their secrets' hashes. */
  Map<Bytes, AccessToken> tokens();

  /** Sets what is known of a tenant. */
  void set(Tenant tenant);

  /** Returns a tenant's record, if there is one. */
  Optional<Tenant> tenant(String name);

  /** The tenants of which something is known. */
  List<Tenant> tenants();

  /** The time that a tenant has had of GPUs up to now, in milliseconds of a whole one. */
  long spent(String tenant, Instant now);

  /**
   * Use of GPUs by rows of the ledger that ended later than a moment.
   *
   * @return for each tenant and day, of which the end is named
   */
  List<Used> used(Instant since);

  /**
   * A tenant's use.
   *
   * @param until when it ended, at the latest
   * @param seconds of a whole device
   */
  record Used(String tenant, Instant until, double seconds) {}
}
