// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import io.outboard.communicator.certificate.Issuer;
import io.outboard.communicator.certificate.TlsIdentity;
import io.outboard.lease.LeaseException;
import io.outboard.lease.node.NodeStore;
import io.outboard.lease.store.StoreException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * The authority of a pool, which vouches for its nodes and for nobody else. It is in the store, so
 * that each broker of the pool has it; whoever reads the store has all that is in it already.
 */
final class NodeAuthority {
  /** How long a node's certificate is good. */
  static final Duration LIFE = Duration.ofDays(30);

  private static final Duration OWN_LIFE = Duration.ofDays(3650);

  /** By so much a clock of another machine may be behind this one's. */
  private static final Duration EARLIER = Duration.ofHours(1);

  private static final int BITS = 256;

  private final NodeStore store;
  private final InstantSource clock;
  private TlsIdentity identity;

  NodeAuthority(NodeStore store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /** Its certificate. */
  X509Certificate certificate() {
    return identity().certificate();
  }

  private synchronized TlsIdentity identity() {
    if (identity == null) {
      try {
        identity = TlsIdentity.parse("the store", store.authority(this::fresh));
      } catch (IOException e) {
        throw new StoreException("the authority of the pool cannot be used: " + e.getMessage(), e);
      }
    }
    return identity;
  }

  private String fresh() {
    Instant from = clock.instant().minus(EARLIER);
    TlsIdentity made = Issuer.authority("Outboard pool", from, from.plus(OWN_LIFE));
    try {
      return Issuer.certificatesAsPem(made) + Issuer.keyAsPem(made);
    } catch (IOException e) {
      throw new StoreException("no authority can be made: " + e.getMessage(), e);
    }
  }

  /** Makes the certificate of a node. */
  List<X509Certificate> vouch(String node, PublicKey key) {
    Instant now = clock.instant();
    return new Issuer(identity()).client(node, key, now.minus(EARLIER), now.plus(LIFE));
  }

  /** Whether a certificate is one that this has made, and good now. */
  boolean hasMade(X509Certificate certificate) {
    try {
      certificate.verify(certificate().getPublicKey());
    } catch (GeneralSecurityException _) {
      return false;
    }
    Instant now = clock.instant();
    return !now.isBefore(certificate.getNotBefore().toInstant())
        && now.isBefore(certificate.getNotAfter().toInstant());
  }

  /**
   * Reads a node's public key.
   *
   * @param encoded as in a certificate (RFC 5280, 4.1.2.7)
   * @throws LeaseException if it is no key of 256 bits on a curve
   */
  static PublicKey key(byte[] encoded) throws LeaseException {
    try {
      PublicKey key = KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(encoded));
      if (key instanceof ECPublicKey curve
          && curve.getParams().getCurve().getField().getFieldSize() == BITS) {
        return key;
      }
    } catch (GeneralSecurityException e) {
      throw new LeaseException("the node's key cannot be read: " + e.getMessage());
    }
    throw new LeaseException("a node's key is one of 256 bits on a curve");
  }
}
