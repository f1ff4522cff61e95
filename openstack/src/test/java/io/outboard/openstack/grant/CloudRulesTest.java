// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.grant;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.identity.IdentityFile;
import io.outboard.lease.account.Role;
import io.outboard.lease.account.Standing;
import io.outboard.openstack.cloud.CloudToken;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class CloudRulesTest {
  private final CloudRules usual = CloudRules.usual();

  private static CloudToken token(String project, String... roles) {
    return new CloudToken("u1", "ada", project, "demo", Set.of(roles), Instant.MAX);
  }

  private static Optional<Standing> standing(Role role) {
    return Optional.of(new Standing(role, "09d04a9b", "u1", Optional.empty()));
  }

  @Test
  void aProjectIsATenantOfItsId() {
    assertEquals(standing(Role.USER), usual.person(token("09d04a9b", "member", "reader")));
    assertEquals(standing(Role.READER), usual.person(token("09d04a9b", "admin", "reader")));
    assertEquals(standing(Role.USER), usual.machine("09d04a9b", "u1"));
  }

  @Test
  void whatIsNoProjectIsNoTenant() {
    for (String project : List.of("", "a b", "a/b", "x".repeat(65))) {
      assertEquals(Optional.empty(), usual.person(token(project, "member")), project);
      assertEquals(Optional.empty(), usual.machine(project, "u1"), project);
    }
  }

  @Test
  void aRoleWithoutARuleIsNothing() {
    for (String role : List.of("admin", "service", "Member", "members", "")) {
      assertEquals(Optional.empty(), usual.person(token("09d04a9b", role)), role);
    }
  }

  @Test
  void aFileNamesTenantsAndVos() {
    CloudRules rules =
        new CloudRules(
            IdentityFile.parse(
                    """
                    [rule physics]
                    from = nova
                    claim.project = 17af
                    tenant = physics
                    role = user
                    fqan = /vo.example.org/physics
                    """)
                .rules());
    Standing physics = rules.machine("17af", "u1").orElseThrow();
    assertEquals("physics", physics.tenant());
    assertEquals("vo.example.org", physics.vo());
    assertEquals(Optional.empty(), rules.machine("17afa", "u1"));
    assertEquals(Optional.empty(), rules.person(token("17af", "member")), "people have no rule");
  }
}
