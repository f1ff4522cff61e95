// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.library.Allotment;
import io.outboard.lease.Form;
import io.outboard.lease.Gpu;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseState;
import io.outboard.lease.testkit.Sample;
import io.outboard.pool.broker.BrokerCase;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Slices of a GPU that is cut: each is leased as a device of its own. */
final class SliceTest extends BrokerCase {
  SliceTest() {
    super(Sample.cut());
  }

  private static List<String> uuids(Lease lease) {
    return lease.gpus().stream().map(Gpu::uuid).toList();
  }

  private List<String> shared() throws LeaseException {
    return broker.admissions().admitWithout("test", "").allotment().gpus().stream()
        .map(Allotment.Gpu::uuid)
        .toList();
  }

  @Test
  void oneIsLeasedWholeAndTheOthersStay() throws LeaseException {
    Lease lease = broker.request(Sample.slice("a", "1g.10gb"));
    assertEquals(List.of("MIG-0"), uuids(lease));
    assertEquals(List.of("MIG-1"), uuids(broker.request(Sample.slice("b", "1g.10gb"))));
    assertEquals(LeaseState.REQUESTED, state(broker.request(Sample.slice("c", "1g.10gb"))));
    assertEquals(List.of("MIG-2", "GPU-1"), shared());
  }

  @Test
  void anyProfileWillDoAndOneThatIsNotThereIsRefused() throws LeaseException {
    assertEquals(List.of("MIG-0"), uuids(broker.request(Sample.slice("a", ""))));
    LeaseException none =
        assertThrows(LeaseException.class, () -> broker.request(Sample.slice("a", "7g.80gb")));
    assertTrue(none.getMessage().contains("slices of 7g.80gb, in mode mig"), none::getMessage);
  }

  @Test
  void wholeGpusAreNoSlices() throws LeaseException {
    assertEquals(List.of("GPU-1"), uuids(broker.request(Sample.handed("a", 1))));
    assertThrows(LeaseException.class, () -> broker.request(Sample.handed("a", 2)));
    Form wanted = new Form().with("seconds", 1).with("mode", "device").with("profile", "1g.10gb");
    assertThrows(
        IllegalArgumentException.class, () -> new ControlCommands(broker).rows("lease", wanted));
  }

  @Test
  void aProgramGetsOneSliceAtMost() throws LeaseException {
    Form wanted = new Form().with("seconds", 60).with("profile", "3g.40gb");
    Form lease = new ControlCommands(broker).rows("lease", wanted).getFirst();
    assertEquals("MIG-2", lease.get("uuids"));
    assertFalse(lease.get("token").isEmpty(), "it is served");
    wanted.with("gpus", 2).with("profile", "1g.10gb");
    assertThrows(LeaseException.class, () -> new ControlCommands(broker).rows("lease", wanted));
  }

  @Test
  void aGpuFailsWithItsSlices() throws LeaseException {
    Form wanted = new Form().with("seconds", 60).with("profile", "3g.40gb");
    String served = new ControlCommands(broker).rows("lease", wanted).getFirst().get("id");
    Lease handed = broker.request(Sample.slice("a", "1g.10gb"));
    broker.failed("GPU-0", "it is lost");
    assertEquals(LeaseState.REVOKED, broker.find(served).state());
    assertEquals(LeaseState.GRANTED, state(handed), "who has it sees for himself");
    assertEquals(List.of("GPU-1"), shared());
    broker.readmit("GPU-0");
    assertEquals(List.of("MIG-1", "MIG-2", "GPU-1"), shared());
  }

  @Test
  void whatWasAskedForOutlivesTheBackend() throws LeaseException {
    Lease lease = broker.request(Sample.slice("a", "3g.40gb"));
    restart();
    assertEquals(lease, now(lease));
    assertEquals("3g.40gb", now(lease).gpus().getFirst().profile());
    Form device = new ControlCommands(broker).rows("devices", new Form()).get(2);
    assertEquals("3g.40gb", device.get("profile"));
    assertEquals("GPU-0", device.get("parent"));
    Form row =
        new ControlCommands(broker).rows("handover", new Form().with("id", lease.id())).getFirst();
    assertEquals("0:2", row.get("cdi"));
    assertEquals("3g.40gb", row.get("profile"));
  }
}
