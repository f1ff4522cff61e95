// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.operation;

import io.outboard.api.http.Origin;
import io.outboard.lease.account.AccessToken;
import io.outboard.lease.account.Role;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A request that is allowed and has the shape that its operation wants.
 *
 * @param path the values in its path
 * @param query the values behind it
 * @param body the values in its body, empty where it has none
 * @param caller who asks; none where everybody may
 * @param secret that a node says, where the operation is one of nodes; else empty
 * @param origin from where it came
 */
public record Call(
    Map<String, String> path,
    Map<String, Object> query,
    Map<String, Object> body,
    Optional<AccessToken> caller,
    String secret,
    Origin origin) {
  /** A text of the body; empty where it is missing. */
  String text(String name) {
    return (String) body.getOrDefault(name, "");
  }

  /** A text of the body, another one where it is missing. */
  String text(String name, String otherwise) {
    return (String) body.getOrDefault(name, otherwise);
  }

  /** A time of the body, in seconds; none where it is missing. */
  Optional<Duration> seconds(String name) {
    return Optional.ofNullable((Long) body.get(name)).map(Duration::ofSeconds);
  }

  /** A whole number of the body whose range is an int's. */
  int count(String name, int otherwise) {
    return Math.toIntExact(number(name, otherwise));
  }

  /** A whole number of the body. */
  long number(String name, long otherwise) {
    return (Long) body.getOrDefault(name, otherwise);
  }

  /** Whether who asks may see what a tenant has. */
  boolean covers(String tenant) {
    return caller.filter(token -> token.covers(tenant)).isPresent();
  }

  /** The caller's tenant; empty for a caller without one. */
  String tenant() {
    return caller.map(AccessToken::tenant).orElse("");
  }

  /** Whether an operator asks. */
  boolean isOperator() {
    return caller.filter(token -> token.role() == Role.OPERATOR).isPresent();
  }

  /** Whether who asks may use leases that it may see. */
  boolean mayUse() {
    return caller.filter(token -> token.role().includes(Role.USER)).isPresent();
  }
}
