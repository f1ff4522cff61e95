// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.lease.Gpu;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.LeaseState;
import io.outboard.lease.ServiceClass;
import io.outboard.lease.node.Closing;
import io.outboard.lease.testkit.Sample;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A device is out for maintenance from a date on. */
final class ClosingTest extends BrokerCase {
  private static final Duration WINDOW = Duration.ofHours(3);

  ClosingTest() {
    super(Sample.gpus(2));
  }

  @BeforeEach
  void close0() throws LeaseException {
    broker.closeFrom("0", new Closing(clock.instant().plus(WINDOW), "a new fan"));
  }

  private Lease lasting(Duration time) throws LeaseException {
    return broker.request(Sample.whole("a", 1).toBuilder().duration(time).build());
  }

  private static List<Integer> numbers(Lease lease) {
    return lease.gpus().stream().map(Gpu::number).toList();
  }

  private void pass(Duration time) {
    clock.pass(time);
    broker.tick();
  }

  @Test
  void othersHaveItUntilThenAndNoLonger() throws LeaseException {
    Lease longer = lasting(WINDOW.plusSeconds(1));
    assertEquals(List.of(1), numbers(longer));
    Lease waits = lasting(WINDOW.plusSeconds(1));
    assertEquals(LeaseState.REQUESTED, waits.state());
    assertEquals(WINDOW, broker.explain(waits.id()).longest());
    assertEquals(List.of(0), numbers(lasting(WINDOW)));
  }

  @Test
  void noSpareLeaseGoesOnBeyond() throws LeaseException {
    Lease other = lasting(Duration.ofDays(1));
    assertEquals(List.of(1), numbers(other));
    LeaseRequest spare =
        Sample.whole("b", 1).toBuilder()
            .service(ServiceClass.SPARE)
            .duration(WINDOW.plusSeconds(1))
            .build();
    assertEquals(LeaseState.REQUESTED, broker.request(spare).state());
  }

  @Test
  void aRenewalBeyondIsRefused() throws LeaseException {
    Lease other = lasting(Sample.HOUR.multipliedBy(9));
    Lease lease = lasting(Sample.HOUR);
    assertEquals(List.of(0), numbers(lease));
    LeaseException refused =
        assertThrows(LeaseException.class, () -> broker.renew(lease.id(), WINDOW.plusSeconds(1)));
    assertTrue(refused.getMessage().contains("GPU 0 is out"), refused::getMessage);
    assertEquals(clock.instant().plus(WINDOW), broker.renew(lease.id(), WINDOW).expires());
    assertEquals(
        clock.instant().plus(Duration.ofDays(2)),
        broker.renew(other.id(), Duration.ofDays(2)).expires());
  }

  @Test
  void itIsOutWhenItsMomentHasComeAlsoForTheNextBroker() throws LeaseException {
    assertEquals(Optional.of(clock.instant().plus(WINDOW)), broker.next());
    restart();
    pass(WINDOW.minusMillis(1));
    assertEquals(Optional.empty(), broker.cordon(gpus.getFirst()));
    pass(Duration.ofMillis(1));
    assertEquals(Optional.of("a new fan"), broker.cordon(gpus.getFirst()));
    assertEquals(Optional.empty(), broker.closing(gpus.getFirst()));
    assertEquals(List.of(1), numbers(lasting(Duration.ofSeconds(9))));
    assertEquals(LeaseState.REQUESTED, lasting(Duration.ofSeconds(9)).state());
  }

  /** It was granted before anybody knew of the date. */
  @Test
  void whoHasItLongerKeepsIt() throws LeaseException {
    Lease before = lasting(Duration.ofDays(1));
    broker.closeFrom("1", new Closing(clock.instant().plus(WINDOW), ""));
    pass(WINDOW);
    assertEquals(LeaseState.GRANTED, state(before));
  }

  @Test
  void uncordoningForgetsTheDate() throws LeaseException {
    broker.uncordon("0");
    assertEquals(Optional.empty(), broker.closing(gpus.getFirst()));
    assertEquals(
        2,
        List.of(lasting(WINDOW.multipliedBy(2)), lasting(WINDOW.multipliedBy(2))).stream()
            .filter(lease -> lease.state() == LeaseState.GRANTED)
            .count());
  }

  @Test
  void aMomentThatIsOverIsRefused() {
    assertThrows(
        LeaseException.class, () -> broker.closeFrom("0", new Closing(clock.instant(), "")));
  }
}
