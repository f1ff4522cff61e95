// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.rule;

import io.outboard.lease.account.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Rules in their order.
 *
 * @param all each with a name of its own
 */
public record Rules(List<Rule> all) {
  /** A copy. */
  public Rules {
    all = List.copyOf(all);
  }

  /**
   * The answers of the rules about somebody.
   *
   * @param judgements those that do not fit, and at last the first one that does, if there is one
   */
  public record Decision(List<Judgement> judgements) {
    /** A copy. */
    public Decision {
      judgements = List.copyOf(judgements);
    }

    /** The standing that is given; empty for nothing. */
    public Optional<Standing> standing() {
      return judgements.isEmpty() ? Optional.empty() : judgements.getLast().standing();
    }
  }

  /** Judges somebody: the first rule that fits decides, also where it gives nothing. */
  public Decision decide(Claims claims) {
    List<Judgement> judgements = new ArrayList<>();
    for (Rule rule : all) {
      Judgement judgement = rule.judge(claims);
      judgements.add(judgement);
      if (judgement.fits()) {
        break;
      }
    }
    return new Decision(judgements);
  }
}
