// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is told otherwise. */
public final class TestClock implements InstantSource {
  private volatile Instant now = Sample.NOON;

  public void pass(Duration time) {
    now = now.plus(time);
  }

  @Override
  public Instant instant() {
    return now;
  }
}
