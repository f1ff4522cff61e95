// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.cloud;

import io.outboard.api.json.Ordered;
import java.net.URI;
import java.util.List;
import java.util.Map;

/**
 * An account of the cloud: a user with a password, for a project.
 *
 * @param identity Keystone's URL, as {@code OS_AUTH_URL} has it, with or without {@code /v3}
 * @param user the name
 * @param userDomain the name of the user's domain
 * @param project the name
 * @param projectDomain the name of the project's domain
 * @param region of the services that are asked
 */
public record Credentials(
    URI identity,
    String user,
    String userDomain,
    String password,
    String project,
    String projectDomain,
    String region) {

  /** A path of Keystone's interface, from behind {@code /v3}. */
  URI at(String path) {
    String base = identity.toString().replaceFirst("/+$", "");
    return URI.create((base.endsWith("/v3") ? base : base + "/v3") + path);
  }

  /** The body that asks for a token (Identity API v3, "Password authentication"). */
  Map<String, Object> request() {
    Map<String, Object> who =
        Ordered.of("name", user, "domain", Map.of("name", userDomain), "password", password);
    Map<String, Object> scope =
        Ordered.of("name", project, "domain", Map.of("name", projectDomain));
    return Map.of(
        "auth",
        Ordered.of(
            "identity",
            Ordered.of("methods", List.of("password"), "password", Map.of("user", who)),
            "scope",
            Map.of("project", scope)));
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "%s of %s at %s".formatted(user, project, identity);
  }
}
