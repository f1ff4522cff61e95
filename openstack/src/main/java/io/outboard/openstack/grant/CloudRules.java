// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.grant;

import io.outboard.identity.IdentityFile;
import io.outboard.identity.rule.Claims;
import io.outboard.identity.rule.Rules;
import io.outboard.lease.account.Role;
import io.outboard.lease.account.Standing;
import io.outboard.openstack.cloud.CloudToken;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The rules of identity, asked about people and machines of the cloud. */
public final class CloudRules {
  private static final String USUAL = "usual-rules.conf";

  private final Rules rules;

  public CloudRules(Rules rules) {
    this.rules = rules;
  }

  /** The rules, as a file has them. */
  public Rules rules() {
    return rules;
  }

  /** Each project a tenant of its id, with the roles {@code member} and {@code reader}. */
  public static CloudRules usual() {
    return new CloudRules(IdentityFile.of(CloudRules.class, USUAL).rules());
  }

  /** What Keystone vouches for, as rules see it. */
  public static Claims claims(CloudToken token) {
    return new Claims(
        "keystone",
        token.user(),
        Map.of(
            "user_name", List.of(token.userName()),
            "project", List.of(token.project()),
            "project_name", List.of(token.projectName()),
            "roles", token.roles().stream().sorted().toList()));
  }

  /** Somebody with a token of Keystone's; empty for one to whom nothing is granted. */
  Optional<Standing> person(CloudToken token) {
    return rules.decide(claims(token)).standing();
  }

  /**
   * A machine of a project, which uses GPUs; empty for one to which nothing is granted.
   *
   * @param user id of the one who has made it; empty where that is not known
   */
  Optional<Standing> machine(String project, String user) {
    Claims claims = new Claims("nova", user, Map.of("project", List.of(project)));
    return rules.decide(claims).standing().filter(one -> one.role().includes(Role.USER));
  }
}
