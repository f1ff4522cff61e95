// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.node;

import io.outboard.communicator.certificate.TlsIdentity;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/**
 * The key of a node, and the certificate that its pool has made of it. The key stays as long as the
 * node is of the pool; its certificates follow each other.
 */
public final class NodeIdentity implements Supplier<TlsIdentity> {
  /** A certificate is renewed when this part of its time is left. */
  private static final int LEFT = 3;

  private final InstantSource clock;
  private final Keeper keeper;
  private volatile TlsIdentity current;

  /** Keeps an identity for the next process. */
  @FunctionalInterface
  public interface Keeper {
    void keep(TlsIdentity identity) throws IOException;
  }

  /**
   * Takes one that is kept already.
   *
   * @param keeper keeps those that follow
   */
  public NodeIdentity(TlsIdentity identity, Keeper keeper, InstantSource clock) {
    this.current = identity;
    this.keeper = keeper;
    this.clock = clock;
  }

  @Override
  public TlsIdentity get() {
    return current;
  }

  /** Whether the certificate is to be made anew. */
  boolean isDue() {
    X509Certificate own = current.certificate();
    Instant end = own.getNotAfter().toInstant();
    Duration whole = Duration.between(own.getNotBefore().toInstant(), end);
    return !clock.instant().isBefore(end.minus(whole.dividedBy(LEFT)));
  }

  /** The next certificate is there; connections that begin from now on have it. */
  void renewed(List<X509Certificate> chain) throws IOException {
    if (!chain.getFirst().getPublicKey().equals(current.certificate().getPublicKey())) {
      throw new IOException("the broker's certificate is of another key");
    }
    TlsIdentity next = new TlsIdentity(chain, current.key());
    keeper.keep(next);
    current = next;
  }
}
