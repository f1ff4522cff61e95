// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.lease;

import io.outboard.identity.IdentityFile;
import io.outboard.identity.rule.Claims;
import io.outboard.identity.rule.Rules;
import io.outboard.lease.account.Role;
import io.outboard.lease.account.Standing;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The rules of identity, asked about namespaces of a cluster. */
public final class ClusterRules {
  private static final String USUAL = "usual-rules.conf";

  private final Rules rules;

  public ClusterRules(Rules rules) {
    this.rules = rules;
  }

  /** Each namespace a tenant of its name. */
  public static ClusterRules usual() {
    return new ClusterRules(IdentityFile.of(ClusterRules.class, USUAL).rules());
  }

  /** On whose account a namespace leases; empty for one to which nothing is granted. */
  Optional<Standing> namespace(String name) {
    Claims claims = new Claims("kubernetes", name, Map.of("namespace", List.of(name)));
    return rules.decide(claims).standing().filter(one -> one.role().includes(Role.USER));
  }
}
