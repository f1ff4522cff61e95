// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseState;
import io.outboard.lease.service.Until;
import io.outboard.lease.testkit.Sample;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Somebody asks a broker to suspend a lease, which its node does. */
final class PauseTest extends NodesCase {
  private BrokerLeases leases;
  private Lease lease;
  private TestSession session;

  PauseTest() {
    super(1);
  }

  @BeforeEach
  void useAllGpus() throws LeaseException {
    leases = new BrokerLeases(broker, () -> {});
    lease = granted();
    Lease other = granted();
    assertFalse(node(lease).equals(node(other)));
    session = TestSession.start(on(lease).admissions().admit(holder(lease)));
    exchangeAll();
  }

  private Lease suspend() throws Exception {
    return asked(() -> leases.suspend(lease.id(), Until.RESUMED, "for a demonstration"));
  }

  @Test
  void othersHaveTheDevicesOfASuspendedLease() throws Exception {
    Lease held = suspend();
    assertEquals(LeaseState.HELD, held.state());
    assertTrue(held.reason().startsWith("for a demonstration"), held::reason);
    assertTrue(session.isSuspended());
    Lease next = granted();
    assertEquals(node(lease), node(next));
    assertTrue(broker.token(next).isPresent());
    LeaseException early = assertThrows(LeaseException.class, this::resumeNow);
    assertTrue(early.getMessage().contains("others have the GPUs"), early::getMessage);
    assertTrue(release(next).state().isEnd());
    exchangeAll();
    exchangeAll();
    session.awaitResumed();
    exchangeAll();
    assertEquals(LeaseState.ACTIVE, state(lease));
  }

  /**
   * A request that waits for devices has a clock that a test sets: nothing has to be waited for.
   */
  private Lease resumeNow() throws LeaseException {
    return broker.nodes().resume(lease.id(), Duration.ZERO);
  }

  @Test
  void aResumedLeaseGoesOn() throws Exception {
    suspend();
    restart();
    exchangeAll();
    leases = new BrokerLeases(broker, () -> {});
    assertEquals(LeaseState.HELD, state(lease), "nobody has resumed it");
    Lease resumed = asked(() -> leases.resume(lease.id()));
    assertFalse(resumed.state().isSuspended());
    exchangeAll();
    session.awaitResumed();
    exchangeAll();
    assertEquals(LeaseState.ACTIVE, state(lease));
  }

  @Test
  void oneThatCannotBeSuspendedGoesOn() throws Exception {
    session.refuses("it has memory of another process");
    LeaseException refused = assertThrows(LeaseException.class, this::suspend);
    assertTrue(refused.getMessage().contains("memory of another process"), refused::getMessage);
    exchangeAll();
    assertEquals(LeaseState.ACTIVE, state(lease));
    assertEquals(1, session.refusals(), "it is not asked for again");
    assertFalse(session.isStopped());
  }

  @Test
  void aSilentNodeSuspendsNothing() {
    clock.pass(SILENT);
    LeaseException silent =
        assertThrows(LeaseException.class, () -> leases.suspend(lease.id(), Until.RESUMED, ""));
    assertTrue(silent.getMessage().contains("does not report"), silent::getMessage);
  }

  @Test
  void noCallOfAProgramResumesIt() {
    assertThrows(LeaseException.class, () -> leases.suspend(lease.id(), Until.CALL, ""));
  }

  @Test
  void aSuspendedLeaseCanBeReleased() throws Exception {
    suspend();
    assertEquals(LeaseState.RELEASED, release(lease).state());
    assertTrue(session.isStopped());
  }

  @Test
  void severalNodesAreNotSuspended() throws Exception {
    for (Lease one : broker.alive()) {
      release(one);
    }
    Lease both = broker.request(Sample.whole("a", 2).toBuilder().mostNodes(2).build());
    exchangeAll();
    LeaseException refused =
        assertThrows(LeaseException.class, () -> leases.suspend(both.id(), Until.RESUMED, ""));
    assertTrue(refused.getMessage().contains("several nodes"), refused::getMessage);
  }
}
