// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * How long a lease may be idle before something is done about it; a step without a limit is not
 * taken.
 */
public record IdleLimits(Map<IdleStep, Duration> limits) {
  /** Nothing is ever done. */
  public static final IdleLimits NONE = new IdleLimits(Map.of());

  private static final Duration LONGEST_LOOK = Duration.ofSeconds(30);

  /** However often somebody gets devices. */
  public static final Duration SHORTEST_LOOK = Duration.ofMillis(100);

  private static final int LOOKS = 10;

  /** Copies the map. */
  public IdleLimits {
    limits = Map.copyOf(limits);
  }

  /** These and one more, where it is there. */
  public IdleLimits with(IdleStep step, Duration limit) {
    Map<IdleStep, Duration> more = new EnumMap<>(IdleStep.class);
    more.putAll(limits);
    if (limit != null) {
      more.put(step, limit);
    }
    return new IdleLimits(more);
  }

  /** Those of a request, in seconds. */
  public static IdleLimits of(Form form) {
    return NONE.with(IdleStep.SUSPEND, limit(Parameter.IDLE_SUSPEND.of(form, 0)))
        .with(IdleStep.REVOKE, limit(Parameter.IDLE_REVOKE.of(form, 0)));
  }

  /** Null where there is none. */
  private static Duration limit(long seconds) {
    return seconds == 0 ? null : Duration.ofSeconds(seconds);
  }

  /** Adds those of a request to a row of a control connection. */
  public Form into(Form form) {
    return form.with(Parameter.IDLE_SUSPEND.label(), seconds(IdleStep.SUSPEND))
        .with(Parameter.IDLE_REVOKE.label(), seconds(IdleStep.REVOKE));
  }

  /** A limit in seconds, 0 where there is none. */
  public long seconds(IdleStep step) {
    return of(step).map(Duration::toSeconds).orElse(0L);
  }

  /** The shorter limit of each step. */
  public IdleLimits strictest(IdleLimits other) {
    if (other.isNone()) {
      return this;
    }
    Map<IdleStep, Duration> both = new EnumMap<>(IdleStep.class);
    both.putAll(limits);
    other.limits.forEach(
        (step, limit) ->
            both.merge(step, limit, (one, two) -> one.compareTo(two) <= 0 ? one : two));
    return new IdleLimits(both);
  }

  /** Whether nothing is ever done. */
  public boolean isNone() {
    return limits.isEmpty();
  }

  /** The limit of a step. */
  public Optional<Duration> of(IdleStep step) {
    return Optional.ofNullable(limits.get(step));
  }

  /** How often to look: a tenth of the shortest limit, within reason. */
  public Duration look() {
    Duration shortest = limits.values().stream().min(Duration::compareTo).orElse(LONGEST_LOOK);
    Duration part = shortest.dividedBy(LOOKS);
    Duration capped = part.compareTo(LONGEST_LOOK) > 0 ? LONGEST_LOOK : part;
    return capped.compareTo(SHORTEST_LOOK) < 0 ? SHORTEST_LOOK : capped;
  }
}
