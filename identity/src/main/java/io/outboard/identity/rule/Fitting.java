// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.rule;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Looks for values of claims that all conditions of a rule are content with. The first values are
 * tried first; a part that two conditions name is the same in both.
 */
final class Fitting {
  /** Values that are tried, over all conditions. */
  private static final int MOST_TRIED = 100_000;

  private final List<Condition> conditions;
  private final Claims claims;
  private int left = MOST_TRIED;
  private int furthest;

  Fitting(List<Condition> conditions, Claims claims) {
    this.conditions = conditions;
    this.claims = claims;
  }

  /** The parts by their names; empty where the conditions are not all met. */
  Optional<Map<String, String>> parts() {
    return parts(0, Map.of());
  }

  /** The condition that no value met, once {@link #parts()} has found none. */
  Condition unmet() {
    return conditions.get(furthest);
  }

  private Optional<Map<String, String>> parts(int index, Map<String, String> before) {
    if (index == conditions.size()) {
      return Optional.of(before);
    }
    furthest = Math.max(furthest, index);
    Condition condition = conditions.get(index);
    for (String value : claims.of(condition.claim())) {
      if (left-- <= 0) {
        return Optional.empty();
      }
      Optional<Map<String, String>> found =
          condition
              .pattern()
              .match(value)
              .flatMap(parts -> joined(before, parts))
              .flatMap(parts -> parts(index + 1, parts));
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private static Optional<Map<String, String>> joined(
      Map<String, String> before, Map<String, String> parts) {
    Map<String, String> both = new LinkedHashMap<>(before);
    for (Map.Entry<String, String> part : parts.entrySet()) {
      String other = both.put(part.getKey(), part.getValue());
      if (other != null && !other.equals(part.getValue())) {
        return Optional.empty();
      }
    }
    return Optional.of(both);
  }
}
