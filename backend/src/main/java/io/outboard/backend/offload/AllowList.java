// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.offload;

import io.outboard.communicator.greeting.Peer;
import io.outboard.wire.Bytes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which jars run for whom, and whose signatures let others run. Nothing else runs. */
public final class AllowList {
  private final Listed operator;
  private final Map<String, Listed> tenants;

  private AllowList(Builder builder) {
    operator = builder.operator.copy();
    tenants = new HashMap<>();
    builder.tenants.forEach((tenant, listed) -> tenants.put(tenant, listed.copy()));
  }

  /**
   * The list of one account.
   *
   * @param jars SHA-256 of jars
   * @param signers SHA-256 of the certificates of those who sign jars
   */
  private record Listed(Set<Bytes> jars, Set<Bytes> signers) {
    private static final Listed NOTHING = new Listed(Set.of(), Set.of());

    static Listed fresh() {
      return new Listed(new HashSet<>(), new HashSet<>());
    }

    Listed copy() {
      return new Listed(Set.copyOf(jars), Set.copyOf(signers));
    }
  }

  /** One that grows. */
  public static final class Builder {
    private final Listed operator = Listed.fresh();
    private final Map<String, Listed> tenants = new HashMap<>();

    /** A jar of the operator's. */
    public Builder operator(Bytes jar) {
      operator.jars().add(jar);
      return this;
    }

    /** The certificate of somebody whose jars run for the operator. */
    public Builder operatorSigner(Bytes certificate) {
      operator.signers().add(certificate);
      return this;
    }

    /** A jar of a tenant's. */
    public Builder tenant(String name, Bytes jar) {
      of(name).jars().add(jar);
      return this;
    }

    /** The certificate of somebody whose jars run for a tenant. */
    public Builder tenantSigner(String name, Bytes certificate) {
      of(name).signers().add(certificate);
      return this;
    }

    private Listed of(String tenant) {
      return tenants.computeIfAbsent(tenant, _ -> Listed.fresh());
    }

    /** Makes it. */
    public AllowList build() {
      return new AllowList(this);
    }
  }

  /** Whether a jar runs for somebody, whoever has signed it. */
  boolean allows(Peer.Principal who, Bytes jar) {
    return listed(who).jars().contains(jar);
  }

  /** The signers one of whom a jar that is not listed has to have; none where no such jar runs. */
  Optional<Set<Bytes>> signers(Peer.Principal who) {
    return Optional.of(listed(who).signers()).filter(signers -> !signers.isEmpty());
  }

  private Listed listed(Peer.Principal who) {
    return switch (who) {
      case Peer.Operator _ -> operator;
      case Peer.Member member -> tenants.getOrDefault(member.name(), Listed.NOTHING);
      case Peer.Holder holder -> tenants.getOrDefault(holder.tenant(), Listed.NOTHING);
      case Peer.Itself _ -> Listed.NOTHING;
    };
  }

  /** By which sessions are counted. */
  static String account(Peer.Principal who) {
    return switch (who) {
      case Peer.Operator _, Peer.Itself _ -> "";
      case Peer.Member member -> member.name();
      case Peer.Holder holder -> holder.tenant();
    };
  }
}
