// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.lease;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.identity.IdentityFile;
import io.outboard.identity.rule.Claims;
import io.outboard.identity.rule.Rules;
import io.outboard.lease.account.Role;
import io.outboard.lease.account.Standing;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
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
    try (InputStream text = ClusterRules.class.getResourceAsStream(USUAL)) {
      return new ClusterRules(IdentityFile.parse(new String(text.readAllBytes(), UTF_8)).rules());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** On whose account a namespace leases; empty for one to which nothing is granted. */
  Optional<Standing> namespace(String name) {
    Claims claims = new Claims("kubernetes", name, Map.of("namespace", List.of(name)));
    return rules.decide(claims).standing().filter(one -> one.role().includes(Role.USER));
  }
}
