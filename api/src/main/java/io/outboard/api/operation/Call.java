// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.operation;

import io.outboard.api.http.Origin;
import io.outboard.api.http.Problem;
import io.outboard.lease.account.Caller;
import io.outboard.lease.account.Role;
import io.outboard.lease.account.Standing;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A request that is allowed and has the shape that its operation wants.
 *
 * @param path the values in its path
 * @param query the values behind it
 * @param body the values in its body, empty where it has none
 * @param caller who asks; none where everybody may
 * @param secret of the request, where the operation wants it; else empty
 * @param origin from where it came
 */
public record Call(
    Map<String, String> path,
    Map<String, Object> query,
    Map<String, Object> body,
    Optional<Caller> caller,
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
    return caller.filter(one -> one.standing().covers(tenant)).isPresent();
  }

  /** The caller's tenant; empty for a caller without one. */
  String tenant() {
    return caller.map(one -> one.standing().tenant()).orElse("");
  }

  /** Whether an operator asks. */
  boolean isOperator() {
    return has(Role.OPERATOR);
  }

  /** Whether who asks may use leases that it may see. */
  boolean mayUse() {
    return has(Role.USER);
  }

  private boolean has(Role least) {
    return caller.filter(one -> one.standing().role().includes(least)).isPresent();
  }

  /** The global name for accounting: what who asks is known by, else what is said. */
  String user() throws Problem {
    String known = known(Standing::user);
    return said("user", known, known.isEmpty() || isOperator());
  }

  /** The FQAN for accounting: nobody but an operator says another one than that of who asks. */
  String fqan() throws Problem {
    return said("fqan", known(Standing::fqanText), isOperator());
  }

  private String known(Function<Standing, String> what) {
    return caller.map(Caller::standing).map(what).orElse("");
  }

  private String said(String name, String known, boolean any) throws Problem {
    String said = text(name);
    if (said.isEmpty() || said.equals(known)) {
      return known;
    }
    if (!any) {
      throw new Problem(
          Problem.FORBIDDEN,
          "nobody vouches for this %s: without it, it is the token's own".formatted(name));
    }
    return said;
  }
}
