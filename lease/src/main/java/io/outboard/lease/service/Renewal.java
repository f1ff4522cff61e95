// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.service;

import io.outboard.lease.Parameter;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A change of a lease that goes on.
 *
 * @param time so long after now it is to end; none where that stays
 * @param share thousandths of each device that it is to have; none where that stays
 */
public record Renewal(Optional<Duration> time, OptionalInt share) {
  /** Checks that something changes, and to something that is permitted. */
  public Renewal {
    if (time.isEmpty() && share.isEmpty()) {
      throw new IllegalArgumentException("seconds or share, or both, are wanted");
    }
    time.ifPresent(Parameter.SECONDS::check);
    share.ifPresent(Parameter.SHARE::check);
  }
}
