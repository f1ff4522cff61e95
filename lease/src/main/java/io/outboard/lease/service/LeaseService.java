// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.service;

import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeasePage;
import io.outboard.lease.LeaseQuery;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.schedule.Explanation;
import io.outboard.wire.Token;
import java.util.Optional;

/**
 * What can be asked of leases. All that a method has done or seen survives the end of the machine
 * once it returns.
 *
 * <p>Methods throw {@link LeaseException} where there is no such lease, or it cannot be what is
 * asked for as it is, and {@link io.outboard.lease.store.StoreException} where leases cannot be
 * read or written.
 */
public interface LeaseService {
  /** Asks for a lease, which is granted at once where that is possible. */
  Lease request(LeaseRequest request) throws LeaseException;

  /** A lease as it is now, also one that is over. */
  Lease find(String id) throws LeaseException;

  /** The same, for somebody who waits for it, or has it from now on. */
  Lease fetch(String id) throws LeaseException;

  /**
   * Changes when a lease ends, or its share of its devices, or both.
   *
   * @throws IllegalArgumentException if the time is not permitted
   */
  Lease renew(String id, Renewal change) throws LeaseException;

  /** Ends a lease, and its sessions with it, for its holder. */
  Lease release(String id, String reason) throws LeaseException;

  /** The same, for the operator. */
  Lease revoke(String id, String reason) throws LeaseException;

  /** Lets no new session begin; the lease ends with the last one. */
  Lease drain(String id, String reason) throws LeaseException;

  /**
   * Puts aside what the sessions of a lease have on its devices, which others may have then;
   * returns once that is done.
   */
  Lease suspend(String id, Until until, String reason) throws LeaseException;

  /** Brings back what was put aside; returns once that is done. */
  Lease resume(String id) throws LeaseException;

  /** Leases, in the order of their cursors. */
  LeasePage page(LeaseQuery wanted);

  /** Why a lease waits, and what could be granted now; of one that has devices, these. */
  Explanation explain(String id) throws LeaseException;

  /** What would become of a request now, which is not made. */
  Explanation explain(LeaseRequest request) throws LeaseException;

  /** What a lease is at. */
  LeaseUse use(Lease lease);

  /** The token with which programs use a lease, if it has devices which are served by now. */
  Optional<Token> token(Lease lease);
}
