// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.cloud;

import io.outboard.office.rest.Fields;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/**
 * A token as Keystone knows it: somebody, in a project.
 *
 * @param user id of the user
 * @param userName for people; names can change
 * @param project id of the project; empty for a token that is for none
 * @param projectName for people
 * @param roles names of the user's roles in the project
 * @param expires when it ends
 */
public record CloudToken(
    String user,
    String userName,
    String project,
    String projectName,
    Set<String> roles,
    Instant expires) {
  /** A copy. */
  public CloudToken {
    roles = Set.copyOf(roles);
  }

  /** Of an answer to {@code /v3/auth/tokens}; one whose end cannot be read is over. */
  static CloudToken of(Fields answer) {
    Fields token = answer.object("token");
    Set<String> roles = new HashSet<>();
    token.objects("roles").forEach(role -> roles.add(role.text("name")));
    return new CloudToken(
        token.object("user").text("id"),
        token.object("user").text("name"),
        token.object("project").text("id"),
        token.object("project").text("name"),
        roles,
        moment(token.text("expires_at")));
  }

  private static Instant moment(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      return Instant.EPOCH;
    }
  }

  /** Whether it is good for a project then. */
  boolean isGood(Instant now) {
    return now.isBefore(expires) && !project.isEmpty() && !user.isEmpty();
  }
}
