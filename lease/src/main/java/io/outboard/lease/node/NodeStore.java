// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.node;

import io.outboard.lease.Gpu;
import io.outboard.wire.Bytes;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The nodes of a pool; part of a {@code LeaseStore}, with the same promises. */
public interface NodeStore {
  /**
   * Lets a node of this name join, once; in place of an invitation before.
   *
   * @param hash of the token that it has to bring
   * @throws StoreException also if a node of that name has joined
   */
  void invite(String name, Bytes hash, Instant until);

  /**
   * An invited node joins; its invitation is used up.
   *
   * @param invitation hash of the token that it brings
   * @param credential hash of the secret, or of the public key, by which it is known from now on
   * @throws StoreException also if it is not invited so, or was until an earlier moment
   */
  void join(String name, Bytes invitation, Bytes credential, Instant now);

  /**
   * Forgets a node.
   *
   * @throws StoreException also if there is none
   */
  void remove(String name);

  /**
   * The hashes of the secrets, or of the public keys, of those that have joined, by their names.
   */
  Map<String, Bytes> credentials();

  /**
   * The text of the authority that vouches for the nodes, with its private key.
   *
   * @param fresh makes one, which is kept where there is none yet
   */
  String authority(Supplier<String> fresh);

  /** All, by their names. */
  List<PoolNode> all();

  /**
   * Remembers what a node has.
   *
   * @throws StoreException also if there is none
   */
  void describe(String name, List<String> endpoints, List<Gpu> gpus);

  /** The parts of leases that other nodes have, by the leases' ids. */
  Map<String, List<LeasePart>> parts();

  /** Remembers the parts of a lease that other nodes have; an empty list forgets them. */
  void parts(String lease, List<LeasePart> others);

  /**
   * Begins the term of a broker.
   *
   * @param above a term that nodes have obeyed
   * @return its number, which is higher than that and all before
   */
  long lead(long above);

  /** The term that has been obeyed last; 0 for none. */
  long followed();

  /**
   * Obeys a broker of a term.
   *
   * @return false if one of a later term has been obeyed, or one that began as this one from a
   *     store of which one of them had a backup, and so this one is not
   */
  boolean follow(long term);
}
