// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What devices use is on the accounts of who has them. */
final class EnergyTest extends BrokerCase {
  EnergyTest() {
    super(Sample.gpus(2));
  }

  private void read(int gpu, long millijoules) {
    broker.energy(gpus.get(gpu).uuid(), millijoules);
  }

  private List<OptionalLong> ended(Lease lease) throws LeaseException {
    clock.pass(Duration.ofSeconds(1));
    broker.end(lease.id(), LeaseState.RELEASED, "");
    return broker.ledger(LedgerQuery.since(Instant.EPOCH)).stream()
        .filter(row -> row.lease().equals(lease.id()))
        .map(LedgerRow::energy)
        .toList();
  }

  @Test
  void eachLeaseHasItsShareOfWhatWasUsedMeanwhile() throws LeaseException {
    read(0, 1_000);
    Lease lease = broker.request(Sample.part("a", 1, 250, Sample.GIB));
    Lease other = broker.request(Sample.part("b", 1, 500, Sample.GIB));
    int gpu = lease.gpus().getFirst().number();
    assertEquals(lease.gpus(), other.gpus(), "both are on one device");
    read(gpu, 2_000);
    read(gpu, 4_000);
    assertEquals(List.of(OptionalLong.of(gpu == 0 ? 750 : 500)), ended(lease));
    read(gpu, 5_000);
    assertEquals(List.of(OptionalLong.of(gpu == 0 ? 2_000 : 1_500)), ended(other));
  }

  @Test
  void aDriverThatWasLoadedAgainBeginsAnew() throws LeaseException {
    Lease lease = broker.request(Sample.whole("a", 1));
    int gpu = lease.gpus().getFirst().number();
    read(gpu, 9_000_000_000_000L);
    read(gpu, 100);
    read(gpu, 160);
    read(1 - gpu, 5);
    read(1 - gpu, 500);
    assertEquals(List.of(OptionalLong.of(60)), ended(lease));
  }

  @Test
  void whatIsNotMeasuredIsNotZero() throws LeaseException {
    assertEquals(List.of(OptionalLong.empty()), ended(broker.request(Sample.whole("a", 1))));
  }
}
