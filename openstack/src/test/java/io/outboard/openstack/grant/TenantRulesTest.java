// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.grant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TenantRulesTest {
  private final TenantRules rules =
      new TenantRules(Map.of("17af", "physics"), Map.of("member", "user", "reader", "reader"));

  @Test
  void aProjectWithoutARuleIsATenantOfItsId() {
    assertEquals("physics", rules.tenant("17af"));
    assertEquals("09d04a9b", rules.tenant("09d04a9b"));
  }

  @Test
  void whatIsNoProjectIsNoTenant() {
    for (String project : List.of("", "a b", "a/b", "x".repeat(65))) {
      assertThrows(IllegalArgumentException.class, () -> rules.tenant(project), project);
    }
  }

  @Test
  void aRoleWithoutARuleIsNothing() {
    assertEquals(Optional.empty(), rules.role(List.of("admin", "service", "Member")));
    assertEquals(Optional.of("reader"), rules.role(List.of("reader", "admin")));
    assertEquals(Optional.of("user"), rules.role(List.of("member", "reader")));
    assertEquals(Optional.of("user"), rules.role(List.of("reader", "member")));
  }

  @Test
  void nobodyOfACloudIsAnOperator() {
    for (String role : List.of("operator", "admin", "")) {
      Map<String, String> roles = Map.of("admin", role);
      assertThrows(IllegalArgumentException.class, () -> new TenantRules(Map.of(), roles), role);
    }
  }
}
