// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.LeaseState;
import io.outboard.lease.LedgerQuery;
import io.outboard.lease.ServiceClass;
import io.outboard.lease.account.MissedTarget;
import io.outboard.lease.testkit.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Guaranteed leases that are to be granted in a time; misses are written down with their cause. */
final class TargetTest extends BrokerCase {
  private static final Duration TARGET = Duration.ofMinutes(10);

  TargetTest() {
    super(Sample.gpus(1));
  }

  private static LeaseRequest wanted() {
    return Sample.whole("b", 1).toBuilder().service(ServiceClass.GUARANTEED).within(TARGET).build();
  }

  private List<String> missed() {
    return broker.missed(LedgerQuery.since(Instant.EPOCH)).stream()
        .map(row -> row.lease() + " " + row.cause())
        .toList();
  }

  private void pass(Duration time) {
    clock.pass(time);
    broker.tick();
  }

  @Test
  void oneThatIsGrantedInTimeMissesNothing() throws LeaseException {
    Lease first = broker.request(Sample.whole("a", 1));
    Lease waits = broker.request(wanted());
    pass(TARGET.minusSeconds(1));
    broker.end(first.id(), LeaseState.RELEASED, "");
    assertEquals(LeaseState.GRANTED, state(waits));
    pass(TARGET);
    assertEquals(List.of(), missed());
  }

  @Test
  void aMissIsWrittenDownOnceWhenItsTimeHasCome() throws LeaseException {
    broker.request(Sample.whole("a", 1));
    Lease waits = broker.request(wanted());
    assertEquals(Optional.of(clock.instant().plus(TARGET)), broker.next());
    pass(TARGET.minusMillis(1));
    assertEquals(List.of(), missed());
    pass(Duration.ofMillis(1));
    assertEquals(List.of(waits.id() + " room"), missed());
    restart();
    pass(TARGET);
    assertEquals(List.of(waits.id() + " room"), missed());
    MissedTarget row = broker.missed(LedgerQuery.since(Instant.EPOCH)).getFirst();
    assertEquals(now(waits).due(), Optional.of(row.due()));
    pass(Sample.HOUR);
    assertEquals(LeaseState.GRANTED, state(waits), "it is granted all the same");
  }

  @Test
  void theCauseIsWhatItWaitsForThen() throws LeaseException {
    Lease waits;
    broker.request(Sample.whole("a", 1));
    waits = broker.request(wanted());
    broker.cordon("0", "maintenance");
    pass(TARGET);
    assertEquals(List.of(waits.id() + " absent"), missed());
  }

  /** The device is free since the broker has stopped; that it was late is so all the same. */
  @Test
  void aMissWhileTheBrokerWasAwayIsWrittenDown() throws LeaseException {
    broker.request(Sample.whole("a", 1));
    Lease waits = broker.request(wanted());
    close();
    clock.pass(Sample.HOUR.plusSeconds(1));
    open();
    assertEquals(LeaseState.GRANTED, state(waits));
    assertEquals(List.of(waits.id() + " room"), missed());
  }

  @Test
  void oneOfADateIsDueAfterIt() throws LeaseException {
    Instant begin = clock.instant().plus(Duration.ofHours(5));
    Lease dated = broker.request(wanted().toBuilder().begin(begin).build());
    assertEquals(Optional.of(begin.plus(TARGET)), dated.due());
  }

  @Test
  void targetsAreForGuaranteedLeases() {
    assertThrows(
        IllegalArgumentException.class,
        () -> wanted().toBuilder().service(ServiceClass.SHARED).build());
  }
}
