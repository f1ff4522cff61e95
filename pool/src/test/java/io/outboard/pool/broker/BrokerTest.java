// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.library.Allotment;
import io.outboard.backend.supervision.Admitted;
import io.outboard.backend.supervision.SessionFigures;
import io.outboard.communicator.greeting.Claim;
import io.outboard.communicator.greeting.Peer;
import io.outboard.lease.Form;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseState;
import io.outboard.lease.LedgerQuery;
import io.outboard.lease.LedgerRow;
import io.outboard.lease.account.AccessToken;
import io.outboard.lease.account.Accounts;
import io.outboard.lease.account.Role;
import io.outboard.lease.account.Standing;
import io.outboard.lease.account.Tenant;
import io.outboard.lease.sqlite.SqliteLeaseStore;
import io.outboard.lease.testkit.PowerCut;
import io.outboard.lease.testkit.Sample;
import io.outboard.wire.Bytes;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class BrokerTest extends BrokerCase {
  private static final SessionFigures SOME = new SessionFigures(3, 100, 200);

  BrokerTest() {
    super(Sample.gpus(4));
  }

  @Test
  void aLeaseIsGrantedUsedAndReleased() throws LeaseException {
    Lease lease = broker.request(Sample.part("a", 2, 500, Sample.GIB));
    assertEquals(LeaseState.GRANTED, lease.state());
    TestSession session = use(lease);
    assertEquals(LeaseState.ACTIVE, state(lease));
    assertEquals(2, session.admitted().allotment().gpus().size());
    session.end(SOME);
    assertEquals(LeaseState.IDLE, state(lease));
    clock.pass(Duration.ofMinutes(1));
    assertEquals(LeaseState.RELEASED, broker.end(lease.id(), LeaseState.RELEASED, "").state());
    LedgerRow row = broker.ledger(LedgerQuery.since(Instant.EPOCH)).getFirst();
    assertEquals(Duration.ofMinutes(1), Duration.between(row.from(), row.to()));
    assertEquals(100, row.bytesIn());
    assertEquals(200, row.bytesOut());
  }

  @Test
  void aShareChangesWhileSessionsRun() throws LeaseException {
    Lease lease = broker.request(Sample.part("a", 1, 500, Sample.GIB));
    Lease other = broker.request(Sample.part("b", 1, 250, Sample.GIB));
    assertEquals(lease.gpus(), other.gpus());
    TestSession session = use(lease);
    assertTrue(session.admitted().allotment().isShared());
    assertThrows(LeaseException.class, () -> broker.share(lease.id(), 751));
    clock.pass(Duration.ofMinutes(1));
    Lease changed = broker.share(lease.id(), 750);
    assertEquals(750, changed.request().share());
    assertEquals(Sample.GIB, changed.request().memory());
    assertEquals(
        LeaseState.REQUESTED, broker.request(Sample.part("c", 4, 250, Sample.GIB)).state());
    broker.share(lease.id(), 500);
    assertFalse(broker.alive().getLast().gpus().isEmpty(), "it gets what was given back");
    session.end(SOME);
    broker.end(lease.id(), LeaseState.RELEASED, "");
    List<Integer> shares =
        broker.ledger(LedgerQuery.since(Instant.EPOCH)).stream().map(LedgerRow::share).toList();
    assertEquals(List.of(500, 750, 500), shares);
    assertTrue(
        broker.ledger(LedgerQuery.since(Instant.EPOCH)).stream()
            .allMatch(row -> row.busy().isPresent()),
        "busy time is measured where devices are shared");
  }

  @Test
  void whoHasWholeDevicesIsNotSliced() throws LeaseException {
    Lease lease = broker.request(Sample.whole("a", 1));
    TestSession session = use(lease);
    assertFalse(session.admitted().allotment().isShared());
    assertThrows(LeaseException.class, () -> broker.share(lease.id(), 500));
    session.end(SOME);
    broker.share(lease.id(), 500);
    TestSession shares = use(lease);
    assertTrue(shares.admitted().allotment().isShared());
    shares.end(SOME);
    broker.end(lease.id(), LeaseState.RELEASED, "");
    LedgerRow first = broker.ledger(LedgerQuery.since(Instant.EPOCH)).getFirst();
    assertEquals(Optional.empty(), first.busy(), "not measured");
  }

  @Test
  void aProgramIsNotToldOfALeaseThatIsKeptByBriefRenewals() throws Exception {
    Lease lease = broker.request(Sample.whole("a", 1));
    TestSession session = use(lease);
    for (int i = 0; i < 10; i++) {
      Lease unused = broker.renew(lease.id(), Duration.ofMinutes(3));
      clock.pass(Duration.ofMinutes(1));
      broker.tick();
    }
    assertTrue(session.isToldNothing());
    session.end(SOME);
    broker.end(lease.id(), LeaseState.RELEASED, "");
  }

  @Test
  void aProgramIsToldOnceFiveMinutesBeforeItsLeaseEnds() throws Exception {
    Lease lease = broker.request(Sample.whole("a", 1));
    TestSession session = use(lease);
    assertEquals(Optional.of(lease.expires().minus(Duration.ofMinutes(5))), broker.next());
    clock.pass(Duration.ofMinutes(55));
    broker.tick();
    assertTrue(session.nextLine().startsWith("lease " + lease.id() + " ends in 5 min"));
    assertEquals(Optional.of(lease.expires()), broker.next());
    clock.pass(Duration.ofMinutes(1));
    broker.tick();
    Lease renewed = broker.renew(lease.id(), Duration.ofMinutes(10));
    assertTrue(session.isToldNothing(), "it is told once");
    broker.tick();
    clock.pass(Duration.ofMinutes(6));
    broker.tick();
    assertTrue(session.nextLine().startsWith("lease " + lease.id() + " ends in 4 min"));
    assertTrue(session.isToldNothing(), "once more, since its end was put off");
    assertEquals(Optional.of(renewed.expires()), broker.next());
    session.end(SOME);
    broker.end(lease.id(), LeaseState.RELEASED, "");
  }

  @Test
  void aTokenIsOfItsGrantAlone() throws LeaseException {
    Lease lease = broker.request(Sample.part("a", 1, 500, 0));
    Lease other = broker.request(Sample.part("a", 1, 500, 0));
    assertNotEquals(
        broker.token(lease).orElseThrow().digits(), broker.token(other).orElseThrow().digits());
    Bytes name = broker.token(lease).orElseThrow().name();
    Claim claim = broker.claim(name).orElseThrow();
    assertEquals(holder(lease), claim.peer());
    assertEquals(broker.token(lease).orElseThrow().digits(), claim.proof().orElseThrow().digits());
    broker.end(lease.id(), LeaseState.RELEASED, "");
    assertEquals(Optional.empty(), broker.claim(name));
    assertThrows(LeaseException.class, () -> broker.admissions().admit(holder(lease)));
  }

  @Test
  void aHolderOfAnotherGrantIsRefused() throws LeaseException {
    Lease lease = broker.request(Sample.part("a", 1, 500, 0));
    Peer.Holder other = new Peer.Holder(lease.id(), lease.epoch() + 1, lease.tenant());
    var refused = assertThrows(LeaseException.class, () -> broker.admissions().admit(other));
    assertTrue(refused.getMessage().contains("is over"), refused.getMessage());
    assertEquals(0, broker.sessions(lease));
  }

  @Test
  void nobodyGetsDevicesBeforeTheirWorkersHaveEnded() throws LeaseException {
    Lease first = broker.request(Sample.whole("a", 4));
    TestSession session = use(first);
    Lease second = broker.request(Sample.whole("b", 1));
    assertEquals(LeaseState.REQUESTED, second.state());
    session.onStop(
        () -> {
          assertEquals(LeaseState.REQUESTED, broker.find(second.id()).state());
          assertThrows(LeaseException.class, () -> broker.admissions().admit(holder(first)));
        });
    Lease over = broker.end(first.id(), LeaseState.REVOKED, "why");
    assertEquals(LeaseState.REVOKED, over.state());
    assertEquals("why", over.reason());
    assertEquals(LeaseState.GRANTED, state(second));
  }

  @Test
  void theNextOneGetsWhatIsFree() throws LeaseException {
    Lease first = broker.request(Sample.whole("a", 4));
    Lease second = broker.request(Sample.whole("b", 4));
    broker.end(first.id(), LeaseState.RELEASED, "");
    assertEquals(LeaseState.GRANTED, state(second));
    assertTrue(broker.find(second.id()).epoch() > first.epoch());
  }

  @Test
  void whatTheBackendHasNotIsRefusedAtOnce() {
    assertThrows(LeaseException.class, () -> broker.request(Sample.whole("a", 5)));
    assertThrows(
        LeaseException.class, () -> broker.request(Sample.part("a", 1, 100, 81 * Sample.GIB)));
    assertEquals(List.of(), broker.alive());
  }

  @Test
  void aLeaseEndsWithItsTime() throws LeaseException {
    Lease lease = broker.request(Sample.whole("a", 1));
    assertEquals(Optional.of(lease.expires()), broker.next());
    TestSession session = use(lease);
    clock.pass(Sample.HOUR.minusSeconds(1));
    broker.tick();
    assertEquals(LeaseState.ACTIVE, state(lease));
    broker.renew(lease.id(), Duration.ofMinutes(2));
    clock.pass(Duration.ofMinutes(1));
    broker.tick();
    assertEquals(LeaseState.ACTIVE, state(lease));
    clock.pass(Duration.ofMinutes(1));
    broker.tick();
    assertTrue(session.isStopped());
    assertEquals(LeaseState.EXPIRED, state(lease));
  }

  @Test
  void drainingWaitsForTheLastSession() throws LeaseException {
    Lease lease = broker.request(Sample.whole("a", 1));
    TestSession session = use(lease);
    assertEquals(LeaseState.DRAINING, broker.drain(lease.id(), "").state());
    assertEquals(LeaseState.DRAINING, broker.drain(lease.id(), "again").state());
    assertThrows(LeaseException.class, () -> broker.admissions().admit(holder(lease)));
    session.end(SOME);
    assertEquals(LeaseState.RELEASED, state(lease));
  }

  @Test
  void sessionsWithoutALeaseShareWhatIsNotLeased() throws LeaseException {
    Lease lease = broker.request(Sample.whole("a", 1));
    TestSession one = TestSession.start(broker.admissions().admitWithout("one", ""));
    TestSession two = TestSession.start(broker.admissions().admitWithout("two", ""));
    assertEquals(3, one.admitted().allotment().gpus().size());
    assertEquals(one.admitted().allotment().gpus(), two.admitted().allotment().gpus());
    Lease next = broker.request(Sample.whole("b", 1));
    assertEquals(LeaseState.REQUESTED, next.state());
    one.end(SOME);
    assertEquals(LeaseState.REQUESTED, state(next));
    two.end(SOME);
    assertEquals(LeaseState.GRANTED, state(next));
    broker.end(lease.id(), LeaseState.RELEASED, "");
    Lease all = broker.request(Sample.whole("b", 3));
    assertEquals(LeaseState.GRANTED, all.state());
    assertThrows(LeaseException.class, () -> broker.admissions().admitWithout("nothing left", ""));
  }

  /** As of a backend that serves OpenCL alone. */
  @Test
  void whereNothingCanBeLeasedSessionsNeedNoLease() throws LeaseException {
    close();
    open(List.of());
    Admitted session = broker.admissions().admitWithout("test", "");
    assertEquals(Allotment.EVERYTHING, session.allotment());
    assertEquals(session, broker.admissions().adopt("before", "", clock.instant()));
    assertEquals(List.of(), broker.alive());
  }

  @Test
  void leasesOutliveTheBackend() throws LeaseException {
    Lease lease = broker.request(Sample.part("a", 1, 500, 0));
    Lease waiting = broker.request(Sample.whole("b", 4));
    use(lease);
    String token = broker.token(lease).orElseThrow().digits();
    restart();
    assertEquals(LeaseState.IDLE, state(lease));
    assertEquals(LeaseState.REQUESTED, state(waiting));
    assertEquals(token, broker.token(broker.find(lease.id())).orElseThrow().digits());
    use(broker.find(lease.id()));
  }

  @Test
  void afterACrashSessionsWithoutALeaseHaveTheirRows() throws LeaseException {
    TestSession.start(broker.admissions().admitWithout("one", ""));
    clock.pass(Duration.ofMinutes(5));
    broker.checkpoint();
    clock.pass(Duration.ofMinutes(1));
    Path after = PowerCut.copy(folder.resolve("leases.db"), folder.resolve("after"));
    try (Broker next = new Broker(SqliteLeaseStore.open(after), Sample.gpus(4), clock)) {
      List<LedgerRow> rows = next.ledger(LedgerQuery.since(Instant.EPOCH));
      assertEquals(4, rows.size());
      assertEquals(
          Duration.ofMinutes(5), Duration.between(rows.getFirst().from(), rows.getFirst().to()));
      assertEquals(List.of(), next.alive());
    }
  }

  @Test
  void aSessionOfAnEndedLeaseThatStartsLateIsEnded() throws LeaseException {
    Lease lease = broker.request(Sample.whole("a", 1));
    Admitted late = broker.admissions().admit(holder(lease));
    clock.pass(Sample.HOUR);
    broker.tick();
    assertEquals(LeaseState.DRAINING, state(lease));
    TestSession session = TestSession.start(late);
    assertTrue(session.isStopped());
    assertEquals(LeaseState.EXPIRED, state(lease));
  }

  @Test
  void aTokenIsKnownUntilItEndsOrIsRevoked() throws LeaseException {
    Accounts.Issued issued =
        broker.accounts().issue(new Standing(Role.USER, "a"), "", Duration.ofHours(1));
    Accounts.Issued other =
        broker.accounts().issue(new Standing(Role.READER, ""), "", Duration.ofHours(9));
    assertEquals(Optional.of(issued.token()), broker.accounts().check(issued.secret()));
    assertEquals(Optional.empty(), broker.accounts().check(issued.secret() + "0"));
    restart();
    assertEquals(Optional.of(issued.token()), broker.accounts().check(issued.secret()));
    clock.pass(Duration.ofHours(1));
    assertEquals(Optional.empty(), broker.accounts().check(issued.secret()));
    assertEquals(Optional.of(other.token()), broker.accounts().check(other.secret()));
    broker.accounts().revoke(other.token().id());
    assertEquals(Optional.empty(), broker.accounts().check(other.secret()));
    restart();
    assertEquals(Optional.empty(), broker.accounts().check(other.secret()));
    assertThrows(LeaseException.class, () -> broker.accounts().revoke("none"));
  }

  @Test
  void tokensThatEndedYesterdayAreForgotten() {
    for (int i = 0; i < 5; i++) {
      Accounts.Issued unused =
          broker.accounts().issue(new Standing(Role.USER, "a"), "", Duration.ofHours(i + 1));
    }
    clock.pass(Duration.ofHours(27).plusMinutes(1));
    AccessToken last =
        broker.accounts().issue(new Standing(Role.USER, "a"), "", Duration.ofHours(1)).token();
    assertEquals(3, broker.accounts().tokens().size());
    restart();
    assertEquals(3, broker.accounts().tokens().size());
    assertEquals(last, broker.accounts().tokens().getLast());
  }

  @Test
  void aBudgetIsNeverExceeded() throws LeaseException {
    broker.tenants().set(new Tenant("a", Optional.of(Duration.ofHours(3))));
    Lease lease = broker.request(Sample.part("a", 2, 1000, 0));
    assertThrows(LeaseException.class, () -> broker.request(Sample.part("a", 2, 1000, 0)));
    Lease half = broker.request(Sample.part("a", 2, 500, 0));
    assertThrows(
        LeaseException.class,
        () -> broker.renew(half.id(), Duration.ofMinutes(61)),
        "a longer one");
    assertThrows(LeaseException.class, () -> broker.share(half.id(), 501), "more of it");
    broker.request(Sample.part("b", 1, 500, 0));
    clock.pass(Duration.ofMinutes(30));
    broker.end(lease.id(), LeaseState.RELEASED, "");
    broker.renew(half.id(), Duration.ofMinutes(90));
    LeaseException refused =
        assertThrows(LeaseException.class, () -> broker.request(Sample.part("a", 1, 1000, 0)));
    assertTrue(refused.getMessage().contains("budget of tenant a is 3.0"), refused.getMessage());
    broker.tenants().set(new Tenant("a", Optional.empty()));
    assertEquals(LeaseState.GRANTED, broker.request(Sample.part("a", 1, 1000, 0)).state());
  }

  @Test
  void theFiguresCountWhatHasHappened() throws LeaseException {
    Lease lease = broker.request(Sample.part("a", 1, 500, 0));
    TestSession session = use(lease);
    session.does(SOME);
    assertEquals(3, broker.running().getFirst().number("calls", 0));
    assertEquals(lease.id(), broker.running().getFirst().get("lease"));
    assertEquals(3, broker.figures().number("calls", 0));
    session.end(SOME);
    broker.end(lease.id(), LeaseState.REVOKED, "");
    Form figures = broker.figures();
    assertEquals(3, figures.number("calls", 0));
    assertEquals(200, figures.number("bytesOut", 0));
    assertEquals(1, figures.number("granted", 0));
    assertEquals(1, figures.number("revoked", 0));
    assertEquals(0, figures.number("released", 0));
    assertEquals(0, broker.running().size());
  }

  @Test
  void oneTenantCannotWaitForEver() throws LeaseException {
    broker.request(Sample.whole("b", 4));
    for (int i = 0; i < 1_000; i++) {
      broker.request(Sample.whole("a", 1));
    }
    assertThrows(LeaseException.class, () -> broker.request(Sample.whole("a", 1)));
    assertEquals(LeaseState.REQUESTED, broker.request(Sample.whole("c", 1)).state());
  }
}
