// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.grant;

import io.outboard.lease.Parameter;
import java.util.Map;
import java.util.Optional;

/**
 * The tenant and the role in the lease office of a project and a role of the cloud. A project
 * without a rule is the tenant that has the project's id for a name: names of projects can change
 * hands. A role without a rule is nothing.
 */
public final class TenantRules {
  private final Map<String, String> tenants;
  private final Map<String, String> roles;

  /**
   * Makes them.
   *
   * @param tenants by the projects' ids
   * @param roles {@code reader} or {@code user}, by the names of Keystone's roles
   * @throws IllegalArgumentException if a tenant or a role is none, or somebody would be an
   *     operator
   */
  public TenantRules(Map<String, String> tenants, Map<String, String> roles) {
    tenants.values().forEach(TenantRules::check);
    for (String role : roles.values()) {
      if (!role.equals("reader") && !role.equals("user")) {
        throw new IllegalArgumentException("a role of the cloud is reader or user, not " + role);
      }
    }
    this.tenants = Map.copyOf(tenants);
    this.roles = Map.copyOf(roles);
  }

  private static void check(String tenant) {
    Parameter.TENANT.permitted().check("the name of a tenant", tenant);
  }

  /**
   * The tenant of a project.
   *
   * @throws IllegalArgumentException if the project's id can be no tenant's name
   */
  public String tenant(String project) {
    String tenant = tenants.getOrDefault(project, project);
    if (tenant.isEmpty()) {
      throw new IllegalArgumentException("there is no project");
    }
    check(tenant);
    return tenant;
  }

  /** The most that somebody with these roles may do. */
  public Optional<String> role(Iterable<String> ofKeystone) {
    Optional<String> most = Optional.empty();
    for (String one : ofKeystone) {
      String role = roles.get(one);
      if (role != null && (most.isEmpty() || role.equals("user"))) {
        most = Optional.of(role);
      }
    }
    return most;
  }
}
