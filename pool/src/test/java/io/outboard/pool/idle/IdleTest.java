// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.idle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.supervision.SessionFigures;
import io.outboard.lease.IdleLimits;
import io.outboard.lease.IdleStep;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseState;
import io.outboard.lease.sqlite.SqliteLeaseStore;
import io.outboard.lease.testkit.Sample;
import io.outboard.lease.testkit.TestClock;
import io.outboard.pool.broker.Broker;
import io.outboard.pool.broker.BrokerCase;
import io.outboard.pool.broker.TestSession;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The steps against leases that are not used, and their times. */
final class IdleTest {
  private static final IdleLimits LIMITS =
      IdleLimits.NONE
          .with(IdleStep.MARK, Duration.ofMinutes(5))
          .with(IdleStep.NOTIFY, Duration.ofMinutes(10))
          .with(IdleStep.SUSPEND, Duration.ofMinutes(15))
          .with(IdleStep.REVOKE, Duration.ofMinutes(50));

  @TempDir private Path folder;
  private final TestClock clock = new TestClock();
  private final List<IdleEvent> told = new CopyOnWriteArrayList<>();
  private Broker broker;
  private IdleWatch watch;

  @BeforeEach
  void open() {
    broker = new Broker(SqliteLeaseStore.open(folder.resolve("leases.db")), Sample.gpus(1), clock);
    watch = new IdleWatch(broker, LIMITS, told::add, clock, Runnable::run);
  }

  @AfterEach
  void close() {
    broker.close();
  }

  private void after(int minutes) {
    clock.pass(Duration.ofMinutes(minutes));
    watch.look();
  }

  private LeaseState state(Lease lease) throws LeaseException {
    return broker.find(lease.id()).state();
  }

  private Lease lease() throws LeaseException {
    return broker.request(Sample.whole("a", 1));
  }

  private TestSession use(Lease lease) throws LeaseException {
    return TestSession.start(broker.admissions().admit(BrokerCase.holder(lease)));
  }

  private List<IdleStep> steps() {
    return told.stream().map(IdleEvent::step).toList();
  }

  @Test
  void oneStepComesAfterTheOther() throws Exception {
    Lease lease = lease();
    TestSession session = use(lease);
    watch.look();
    after(4);
    assertEquals(LeaseState.ACTIVE, state(lease));
    after(1);
    assertEquals(LeaseState.IDLE, state(lease));
    assertEquals(List.of(), told);
    after(5);
    assertEquals(List.of(IdleStep.NOTIFY), steps());
    assertEquals(Duration.ofMinutes(10), told.getFirst().idle());
    assertEquals(Duration.ofMinutes(5), told.getFirst().next());
    assertFalse(session.isSuspended());
    after(5);
    assertTrue(session.isSuspended());
    assertEquals(LeaseState.SUSPENDED, state(lease));
    assertEquals(List.of(IdleStep.NOTIFY, IdleStep.SUSPEND), steps());
    after(34);
    assertEquals(LeaseState.SUSPENDED, state(lease));
    after(1);
    assertEquals(LeaseState.REVOKED, state(lease));
    assertTrue(session.isStopped());
    assertEquals(IdleStep.REVOKE, told.getLast().step());
    assertEquals(Duration.ZERO, told.getLast().next());
    after(5);
    assertEquals(3, told.size());
  }

  @Test
  void aLeaseMayAskForLessThanAllHave() throws Exception {
    IdleLimits own =
        IdleLimits.NONE
            .with(IdleStep.SUSPEND, Duration.ofMinutes(2))
            .with(IdleStep.REVOKE, Duration.ofHours(9));
    Lease lease = broker.request(Sample.idle(Sample.whole("a", 1), own));
    TestSession session = use(lease);
    watch.look();
    after(2);
    assertTrue(session.isSuspended());
    assertEquals(Duration.ofMinutes(48), told.getFirst().next());
    after(48);
    assertEquals(LeaseState.REVOKED, state(lease), "not later than all");
  }

  @Test
  void whereThereAreNoLimitsTheLeasesOwnHold() throws Exception {
    try (IdleWatch running =
        new IdleWatch(broker, IdleLimits.NONE, told::add, Instant::now, Runnable::run)) {
      running.start();
      IdleLimits own = IdleLimits.NONE.with(IdleStep.SUSPEND, Duration.ofSeconds(1));
      use(broker.request(Sample.idle(Sample.whole("a", 1), own)));
      while (told.isEmpty()) {
        Thread.sleep(1);
      }
    }
    assertEquals(List.of(IdleStep.SUSPEND), steps());
  }

  @Test
  void aLeaseWhoseWorkerDoesNotAnswerHoldsNoOtherUp() throws Exception {
    IdleLimits own = IdleLimits.NONE.with(IdleStep.SUSPEND, Duration.ofSeconds(1));
    CountDownLatch never = new CountDownLatch(1);
    try (ExecutorService looks = Executors.newCachedThreadPool();
        IdleWatch running =
            new IdleWatch(broker, IdleLimits.NONE, told::add, Instant::now, looks)) {
      Lease silent = broker.request(Sample.idle(Sample.part("a", 1, 500, 0), own));
      use(silent).answersAfter(never);
      running.start();
      Lease other = broker.request(Sample.idle(Sample.part("b", 1, 500, 0), own));
      use(other);
      while (state(other) != LeaseState.SUSPENDED) {
        Thread.sleep(1);
      }
      assertEquals(LeaseState.ACTIVE, state(silent));
      never.countDown();
    }
  }

  @Test
  void whoCallsOrComputesIsNotIdle() throws Exception {
    Lease lease = lease();
    TestSession session = use(lease);
    watch.look();
    for (int i = 0; i < 10; i++) {
      session.isAt(false, i);
      after(4);
      session.isAt(true, i);
      after(4);
    }
    assertEquals(LeaseState.ACTIVE, state(lease));
    session.isAt(false, 9);
    after(5);
    assertEquals(LeaseState.IDLE, state(lease));
    session.isAt(false, 10);
    after(1);
    assertEquals(LeaseState.ACTIVE, state(lease));
    after(5);
    assertEquals(LeaseState.IDLE, state(lease));
    assertEquals(List.of(), told);
  }

  @Test
  void aResumedLeaseBeginsAnew() throws Exception {
    Lease lease = lease();
    TestSession session = use(lease);
    watch.look();
    after(15);
    assertEquals(LeaseState.SUSPENDED, state(lease));
    session.isAt(false, 1);
    session.call();
    session.awaitResumed();
    while (state(lease) != LeaseState.ACTIVE || broker.suspensions().isMoving(lease.id())) {
      Thread.sleep(1);
    }
    after(1);
    assertEquals(LeaseState.ACTIVE, state(lease));
    after(15);
    assertEquals(LeaseState.SUSPENDED, state(lease));
  }

  @Test
  void whatCannotBeSuspendedIsRevokedInTheEnd() throws Exception {
    Lease lease = lease();
    use(lease).refuses("it shares memory");
    watch.look();
    after(15);
    after(15);
    assertEquals(LeaseState.IDLE, state(lease));
    assertEquals(List.of(IdleStep.NOTIFY), steps());
    after(20);
    assertEquals(LeaseState.REVOKED, state(lease));
  }

  @Test
  void whatCouldNotBeSuspendedIsTriedAgainLaterAndLater() throws Exception {
    Lease lease = lease();
    TestSession session = use(lease);
    session.refuses("there is no room for it");
    watch.look();
    clock.pass(Duration.ofMinutes(15));
    List<Integer> tries = new ArrayList<>();
    for (int halfMinute = 0; halfMinute < 16; halfMinute++) {
      watch.look();
      tries.add(session.refusals());
      clock.pass(Duration.ofSeconds(30));
    }
    assertEquals(List.of(1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5), tries);
    session.refuses(null);
    after(8);
    assertEquals(LeaseState.SUSPENDED, state(lease));
    assertEquals(List.of(IdleStep.NOTIFY, IdleStep.SUSPEND), steps());
  }

  @Test
  void whoHasNoLeaseIsFoundIdleToo() throws Exception {
    TestSession session = TestSession.start(broker.admissions().admitWithout("test", ""));
    watch.look();
    after(15);
    assertTrue(session.isSuspended());
    assertEquals(LeaseState.GRANTED, state(lease()), "somebody else has the device");
  }

  @Test
  void aLeaseThatNobodyUsesGivesItsDevicesToOthers() throws Exception {
    Lease unused = lease();
    Lease waiting = lease();
    watch.look();
    after(15);
    assertEquals(LeaseState.SUSPENDED, state(unused));
    assertEquals(LeaseState.GRANTED, state(waiting));
    TestSession session = use(broker.find(waiting.id()));
    session.end(SessionFigures.NOTHING);
    broker.end(waiting.id(), LeaseState.RELEASED, "");
    use(broker.find(unused.id()));
    after(1);
    assertEquals(LeaseState.ACTIVE, state(unused));
  }
}
