// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity;

import io.outboard.identity.rule.Claims;
import io.outboard.identity.rule.Judgement;
import io.outboard.identity.rule.Rules;
import io.outboard.lease.account.Caller;
import io.outboard.lease.account.Standing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The holder of a token, and why it is that one.
 *
 * @param caller who it is; empty for one to whom nothing is granted
 * @param lines the way to that, for people
 */
public record Finding(Optional<Caller> caller, List<String> lines) {
  /** A copy. */
  public Finding {
    lines = List.copyOf(lines);
  }

  /** Nobody. */
  static Finding refused(String why) {
    return new Finding(Optional.empty(), List.of("the token is refused: " + why));
  }

  /**
   * The rules' answer about claims that are verified.
   *
   * @param until when that ends
   */
  public static Finding of(Rules rules, Claims claims, Instant until) {
    Rules.Decision decision = rules.decide(claims);
    List<String> lines = new ArrayList<>();
    lines.add("%s vouches for %s until %s".formatted(claims.source(), claims.subject(), until));
    for (Judgement one : decision.judgements()) {
      lines.add("rule %s %s".formatted(one.rule(), one.why()));
    }
    lines.add(decision.standing().map(Finding::told).orElse("nothing is granted"));
    String id = claims.source() + ":" + claims.subject();
    return new Finding(decision.standing().map(standing -> new Caller(id, standing, until)), lines);
  }

  private static String told(Standing standing) {
    String people =
        standing.fqan().isEmpty()
            ? "no VO"
            : "VO %s, FQAN %s".formatted(standing.vo(), standing.fqanText());
    return "tenant %s, role %s, user %s, %s"
        .formatted(standing.tenant(), standing.role().label(), standing.user(), people);
  }
}
