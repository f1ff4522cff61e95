// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.lease.Lease;
import io.outboard.lease.LeaseState;
import io.outboard.lease.LedgerQuery;
import io.outboard.lease.LedgerRow;
import io.outboard.lease.testkit.Sample;
import io.outboard.lease.testkit.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A host's clock that is set to another time. */
final class SteadyClockTest extends BrokerCase {
  private static final Duration HALF_HOUR = Duration.ofMinutes(30);

  private final TestClock host = new TestClock();
  private final AtomicLong nanoseconds = new AtomicLong(7);
  private final SteadyClock steady = new SteadyClock(host, nanoseconds::get);

  SteadyClockTest() {
    super(Sample.gpus(1));
  }

  private void pass(Duration time) {
    host.pass(time);
    nanoseconds.addAndGet(time.toNanos());
  }

  @Test
  void aStepOfATimeServiceIsFollowed() {
    pass(HALF_HOUR);
    host.pass(Duration.ofSeconds(-20));
    assertEquals(host.instant(), steady.instant());
    assertEquals(Duration.ZERO, steady.jump());
  }

  @ParameterizedTest
  @ValueSource(ints = {365, -365})
  void aJumpIsNoTime(int days) {
    pass(HALF_HOUR);
    Instant before = steady.instant();
    host.pass(Duration.ofDays(days));
    assertEquals(before, steady.instant());
    pass(HALF_HOUR);
    assertEquals(before.plus(HALF_HOUR), steady.instant());
    assertEquals(Duration.ofDays(days), steady.jump());
    steady.follow();
    assertEquals(host.instant(), steady.instant());
  }

  /** A year would be on the tenant's account, and each lease would be over. */
  @ParameterizedTest
  @ValueSource(ints = {365, -365})
  void leasesGoOnByTheNewTime(int days) throws Exception {
    Duration jump = Duration.ofDays(days);
    Lease lease = broker.request(Sample.whole("a", 1));
    Lease waiting = broker.request(Sample.whole("b", 1));
    clock.pass(HALF_HOUR);
    broker.shift(jump, () -> clock.pass(jump));
    assertEquals(LeaseState.GRANTED, state(lease));
    assertEquals(lease.expires().plus(jump), now(lease).expires());
    restart();
    clock.pass(HALF_HOUR.minusSeconds(1));
    broker.tick();
    assertEquals(LeaseState.GRANTED, state(lease));
    clock.pass(Duration.ofSeconds(1));
    broker.tick();
    assertEquals(LeaseState.EXPIRED, state(lease));
    assertEquals(LeaseState.GRANTED, state(waiting));
    LedgerRow row = broker.ledger(LedgerQuery.since(Instant.EPOCH)).getFirst();
    assertEquals(Sample.HOUR, Duration.between(row.from(), row.to()));
    assertEquals(clock.instant(), row.to());
    assertEquals(Sample.HOUR, broker.tenants().spent("a"));
  }
}
