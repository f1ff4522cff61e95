// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseState;
import io.outboard.lease.LedgerQuery;
import io.outboard.lease.LedgerRow;
import io.outboard.lease.testkit.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Measurements of devices are on the accounts of the leases that have them. */
final class DeviceMeterTest extends BrokerCase {
  DeviceMeterTest() {
    super(Sample.gpus(2));
  }

  private void read(int gpu, long millijoules) {
    broker.energy(gpus.get(gpu).uuid(), millijoules);
  }

  private List<LedgerRow> rows(Lease lease) throws LeaseException {
    clock.pass(Duration.ofSeconds(1));
    broker.end(lease.id(), LeaseState.RELEASED, "");
    return broker.ledger(LedgerQuery.since(Instant.EPOCH)).stream()
        .filter(row -> row.lease().equals(lease.id()))
        .toList();
  }

  private List<OptionalLong> ended(Lease lease) throws LeaseException {
    return rows(lease).stream().map(LedgerRow::energy).toList();
  }

  private List<Optional<Duration>> worked(Lease lease) throws LeaseException {
    return rows(lease).stream().map(LedgerRow::busy).toList();
  }

  private void work(int gpu, Duration time) {
    broker.busy(gpus.get(gpu).uuid(), time.toNanos());
  }

  @Test
  void whoHasAWholeDeviceIsAsBusyAsItIs() throws LeaseException {
    work(0, Duration.ofHours(5));
    work(1, Duration.ofHours(9));
    Lease both = broker.request(Sample.whole("a", 2));
    work(0, Duration.ofHours(5).plusMillis(300));
    work(1, Duration.ofHours(9));
    work(0, Duration.ofHours(5).plusMillis(700));
    List<Optional<Duration>> busy =
        both.gpus().stream()
            .map(gpu -> Optional.of(Duration.ofMillis(gpu.number() == 0 ? 700 : 0)))
            .toList();
    assertEquals(busy, worked(both));
  }

  /** Its programs are measured, beside whose the device works for others. */
  @Test
  void whoHasAPartIsNot() throws LeaseException {
    Lease part = broker.request(Sample.part("a", 1, 500, Sample.GIB));
    int gpu = part.gpus().getFirst().number();
    work(gpu, Duration.ofMillis(1));
    work(gpu, Duration.ofMillis(5));
    assertEquals(List.of(Optional.empty()), worked(part));
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
