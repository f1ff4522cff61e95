// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.lease.LeaseException;
import io.outboard.lease.Parameter;
import io.outboard.lease.node.NodeStore;
import io.outboard.lease.store.StoreException;
import io.outboard.wire.Bytes;
import io.outboard.wire.Sha256;
import io.outboard.wire.Token;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Knows the nodes of a pool. A node joins once, with a token that its operator has for it. Over TLS
 * it brings a public key, and gets a certificate of it; over a machine's own loopback it gets a
 * secret. Only hashes of keys and secrets are kept. A node that is not known is refused.
 */
public final class NodeMembers {
  /** How long an invitation is good. */
  public static final Duration INVITED = Duration.ofHours(1);

  private final NodeStore store;
  private final NodeLeases leases;
  private final InstantSource clock;
  private final NodeAuthority authority;
  private final Map<String, Bytes> credentials = new HashMap<>();

  NodeMembers(NodeStore store, NodeLeases leases, InstantSource clock) {
    this.store = store;
    this.leases = leases;
    this.clock = clock;
    this.authority = new NodeAuthority(store, clock);
    credentials.putAll(store.credentials());
  }

  /**
   * Lets a node of a name join.
   *
   * @return the token that it has to bring, which nobody is told again
   * @throws LeaseException if a node of that name has joined
   * @throws IllegalArgumentException if this is no name
   */
  public synchronized String invite(String name) throws LeaseException {
    Parameter.NODE.permitted().check("a node's name", name);
    if (credentials.containsKey(name)) {
      throw new LeaseException("node %s has joined already: remove it first".formatted(name));
    }
    String token = Token.random().digits();
    store.invite(name, hash(token), clock.instant().plus(INVITED));
    return token;
  }

  /**
   * A node joins.
   *
   * @param token of its invitation
   * @return the secret by which it is known from now on
   * @throws LeaseException if it is not invited with this token
   */
  public synchronized String join(String name, String token) throws LeaseException {
    String secret = Token.random().digits();
    admit(name, token, hash(secret));
    return secret;
  }

  /**
   * A node joins that keeps its key to itself.
   *
   * @param token of its invitation
   * @param key its public key, encoded as in a certificate
   * @return its certificate, then the authority's
   * @throws LeaseException if it is not invited with this token, or the key is none
   */
  public synchronized List<X509Certificate> join(String name, String token, byte[] key)
      throws LeaseException {
    PublicKey its = NodeAuthority.key(key);
    admit(name, token, hash(its));
    return authority.vouch(name, its);
  }

  private void admit(String name, String token, Bytes credential) throws LeaseException {
    try {
      store.join(name, hash(token), credential, clock.instant());
    } catch (StoreException e) {
      throw new LeaseException(e.getMessage());
    }
    credentials.put(name, credential);
  }

  /**
   * A node's next certificate, of the key that it has.
   *
   * @param certificate which has been checked
   */
  public List<X509Certificate> renew(String name, X509Certificate certificate) {
    return authority.vouch(name, certificate.getPublicKey());
  }

  /** The authority that vouches for the nodes. */
  public X509Certificate authority() {
    return authority.certificate();
  }

  /** Whether a secret is that of a node which has joined. */
  public synchronized boolean check(String name, String secret) {
    return isKnown(name, hash(secret));
  }

  /** Whether a certificate, whose key the peer has proven, is that of a node which has joined. */
  public synchronized boolean check(String name, X509Certificate certificate) {
    return isKnown(name, hash(certificate.getPublicKey())) && authority.hasMade(certificate);
  }

  /** The name of the node whose certificate this is, if it has joined. */
  public synchronized Optional<String> named(X509Certificate certificate) {
    Bytes hash = hash(certificate.getPublicKey());
    return credentials.entrySet().stream()
        .filter(node -> node.getValue().equals(hash))
        .map(Map.Entry::getKey)
        .filter(_ -> authority.hasMade(certificate))
        .findFirst();
  }

  private boolean isKnown(String name, Bytes credential) {
    Bytes known = credentials.get(name);
    return known != null && MessageDigest.isEqual(known.toArray(), credential.toArray());
  }

  /**
   * A node is of the pool no more, and refused from now on.
   *
   * @throws LeaseException if there is none
   */
  public void remove(String name) throws LeaseException {
    synchronized (this) {
      credentials.remove(name);
    }
    try {
      leases.remove(name);
    } catch (StoreException e) {
      throw new LeaseException(e.getMessage());
    }
  }

  private static Bytes hash(String secret) {
    return Sha256.of(secret.getBytes(UTF_8));
  }

  private static Bytes hash(PublicKey key) {
    return Sha256.of(key.getEncoded());
  }
}
