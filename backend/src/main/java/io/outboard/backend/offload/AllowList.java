// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.offload;

import io.outboard.communicator.greeting.Peer;
import io.outboard.wire.Bytes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Which jars run for whom. Others do not run. */
public final class AllowList {
  private final Set<Bytes> operator;
  private final Map<String, Set<Bytes>> tenants;

  private AllowList(Builder builder) {
    operator = Set.copyOf(builder.operator);
    tenants = new HashMap<>();
    builder.tenants.forEach((tenant, jars) -> tenants.put(tenant, Set.copyOf(jars)));
  }

  /** One that grows. */
  public static final class Builder {
    private final Set<Bytes> operator = new HashSet<>();
    private final Map<String, Set<Bytes>> tenants = new HashMap<>();

    /** A jar of the operator's. */
    public Builder operator(Bytes jar) {
      operator.add(jar);
      return this;
    }

    /** A jar of a tenant's. */
    public Builder tenant(String name, Bytes jar) {
      tenants.computeIfAbsent(name, _ -> new HashSet<>()).add(jar);
      return this;
    }

    /** Makes it. */
    public AllowList build() {
      return new AllowList(this);
    }
  }

  /** Whether a jar runs for somebody. */
  boolean allows(Peer.Principal who, Bytes jar) {
    return switch (who) {
      case Peer.Operator _ -> operator.contains(jar);
      case Peer.Member member -> tenants.getOrDefault(member.name(), Set.of()).contains(jar);
      case Peer.Holder holder -> tenants.getOrDefault(holder.tenant(), Set.of()).contains(jar);
      case Peer.Itself _ -> false;
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
