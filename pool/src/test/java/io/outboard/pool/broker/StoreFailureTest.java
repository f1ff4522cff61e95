// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.backend.supervision.SessionFigures;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseState;
import io.outboard.lease.store.LeaseStore;
import io.outboard.lease.store.StoreException;
import io.outboard.lease.testkit.Sample;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A store that cannot be written for a while, as on a full disk: nothing stays as it was then. */
final class StoreFailureTest extends BrokerCase {
  private static final SessionFigures NOTHING = SessionFigures.NOTHING;

  private boolean full;

  StoreFailureTest() {
    super(Sample.gpus(1));
  }

  @Override
  LeaseStore store(LeaseStore file) {
    return WatchedStore.of(
        file,
        method -> {
          if (full && method.equals("move")) {
            throw new StoreException("the disk is full");
          }
        });
  }

  private Lease whole() throws Exception {
    return broker.request(Sample.whole("a", 1));
  }

  @Test
  void aSessionThatWasRefusedIsNotCounted() throws Exception {
    Lease lease = whole();
    full = true;
    assertThrows(StoreException.class, () -> use(lease));
    full = false;
    assertEquals(0, broker.sessions(lease));
    assertEquals(LeaseState.RELEASED, broker.drain(lease.id(), "").state());
  }

  @Test
  void devicesOfARefusedSessionWithoutALeaseAreFreeAgain() throws Exception {
    full = true;
    assertThrows(StoreException.class, () -> broker.admissions().admitWithout("test", ""));
    full = false;
    assertEquals(LeaseState.GRANTED, whole().state());
  }

  @Test
  void anEndThatCouldNotBeWrittenIsWrittenLater() throws Exception {
    Lease lease = whole();
    TestSession session = use(lease);
    broker.drain(lease.id(), "");
    full = true;
    assertThrows(StoreException.class, () -> session.end(NOTHING));
    full = false;
    assertEquals(LeaseState.DRAINING, state(lease));
    clock.pass(Duration.ofMinutes(1));
    broker.tick();
    assertEquals(LeaseState.RELEASED, state(lease));
  }

  @Test
  void aLeaseThatWasToEndEndsAsItWasTold() throws Exception {
    Lease lease = whole();
    TestSession session = use(lease);
    session.onStop(() -> full = true);
    assertThrows(
        StoreException.class, () -> broker.end(lease.id(), LeaseState.REVOKED, "maintenance"));
    full = false;
    broker.tick();
    assertEquals(LeaseState.REVOKED, state(lease));
    assertEquals("maintenance", now(lease).reason());
  }
}
