// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.lease.Architecture;
import io.outboard.lease.Gpu;
import io.outboard.lease.GpuId;
import io.outboard.lease.GpuUse;
import io.outboard.lease.Identity;
import io.outboard.lease.IdleLimits;
import io.outboard.lease.IdleStep;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseCursor;
import io.outboard.lease.LeaseMode;
import io.outboard.lease.LeaseQuery;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.LeaseState;
import io.outboard.lease.LedgerQuery;
import io.outboard.lease.LedgerRow;
import io.outboard.lease.Placement;
import io.outboard.lease.ServiceClass;
import io.outboard.lease.account.AccessToken;
import io.outboard.lease.account.AccountStore;
import io.outboard.lease.account.Fqan;
import io.outboard.lease.account.MissedTarget;
import io.outboard.lease.account.Role;
import io.outboard.lease.account.Standing;
import io.outboard.lease.account.Tenant;
import io.outboard.lease.node.Closing;
import io.outboard.lease.node.LeasePart;
import io.outboard.lease.node.NodeStore;
import io.outboard.lease.node.PoolNode;
import io.outboard.lease.store.LeaseStore;
import io.outboard.lease.store.StoreException;
import io.outboard.wire.Bytes;
import io.outboard.wire.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of every store of leases. */
public abstract class LeaseStoreContract {
  private static final Instant NOON = Sample.NOON;
  private static final LeaseQuery PAST = new LeaseQuery("", true, Optional.empty(), 10);

  private final List<Gpu> gpus = Sample.gpus(4);
  private LeaseStore store;

  /** Opens the store, which is empty at the first time. */
  public abstract LeaseStore open();

  /**
   * Opens what would be found after a power cut at this moment; the store that is open stays so.
   */
  public abstract LeaseStore openAfterPowerCut();

  @BeforeEach
  void openStore() {
    store = open();
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  private void reopen() {
    store.close();
    store = open();
  }

  private Lease asked(String id, LeaseRequest request) {
    Lease lease = Lease.requested(id, request, NOON);
    store.request(lease);
    return lease;
  }

  private Lease granted(String id, LeaseRequest request, List<Gpu> devices) {
    asked(id, request);
    return store.grant(id, devices, NOON, NOON.plus(Sample.HOUR));
  }

  @Test
  void aRequestIsKept() {
    LeaseRequest request = Sample.request("a", 2, 500, Sample.GIB, 3, Placement.SPREAD);
    Lease lease = asked("one", request.toBuilder().mostNodes(3).build());
    reopen();
    assertEquals(List.of(lease), store.alive());
    assertEquals(Optional.of(lease), store.find("one"));
    assertEquals(Optional.empty(), store.find("other"));
  }

  @Test
  void anIdIsUsedOnce() {
    asked("one", Sample.whole("a", 1));
    assertThrows(StoreException.class, () -> asked("one", Sample.whole("b", 1)));
    assertEquals("a", store.find("one").orElseThrow().tenant());
  }

  @Test
  void aGrantIsKeptWithItsDevicesInTheirOrder() {
    List<Gpu> devices = List.of(gpus.get(2), gpus.get(0));
    Lease lease = granted("one", Sample.whole("a", 2), devices);
    reopen();
    assertEquals(lease, store.find("one").orElseThrow());
    assertEquals(devices, lease.gpus());
    assertEquals(LeaseState.GRANTED, lease.state());
    assertEquals(NOON.plus(Sample.HOUR), lease.expires());
  }

  @Test
  void laterGrantsHaveHigherEpochs() {
    long first = granted("one", Sample.part("a", 1, 100, 0), gpus.subList(0, 1)).epoch();
    store.move("one", LeaseState.RELEASED, NOON, "");
    reopen();
    long second = granted("two", Sample.part("a", 1, 100, 0), gpus.subList(0, 1)).epoch();
    assertTrue(0 < first && first < second, first + ", " + second);
  }

  @Test
  void aDeviceIsNotGivenAwayTwice() {
    granted("one", Sample.whole("a", 1), gpus.subList(0, 1));
    asked("two", Sample.part("b", 2, 100, 0));
    assertThrows(
        StoreException.class,
        () -> store.grant("two", gpus.subList(0, 2), NOON, NOON.plus(Sample.HOUR)));
    assertEquals(LeaseState.REQUESTED, store.find("two").orElseThrow().state());
    assertEquals(List.of(), store.find("two").orElseThrow().gpus(), "nothing is left of it");
    store.move("one", LeaseState.RELEASED, NOON, "");
    store.grant("two", gpus.subList(0, 2), NOON, NOON.plus(Sample.HOUR));
  }

  @Test
  void sharesAndMemoryFit() {
    granted("one", Sample.part("a", 1, 600, 10 * Sample.GIB), gpus.subList(0, 1));
    asked("share", Sample.part("b", 1, 500, 10 * Sample.GIB));
    asked("memory", Sample.part("b", 1, 400, 71 * Sample.GIB));
    asked("fits", Sample.part("b", 1, 400, 70 * Sample.GIB));
    for (String id : List.of("share", "memory")) {
      assertThrows(
          StoreException.class,
          () -> store.grant(id, gpus.subList(0, 1), NOON, NOON.plus(Sample.HOUR)));
    }
    store.grant("fits", gpus.subList(0, 1), NOON, NOON.plus(Sample.HOUR));
  }

  @Test
  void whatHasNoLeaseIsNotBesideALease() {
    granted("session", Sample.part("default", 4, 0, 0), gpus);
    granted("another", Sample.part("default", 4, 0, 0), gpus);
    asked("one", Sample.part("a", 1, 100, 0));
    assertThrows(
        StoreException.class,
        () -> store.grant("one", gpus.subList(0, 1), NOON, NOON.plus(Sample.HOUR)));
  }

  @Test
  void onlyWhatWaitsIsGranted() {
    granted("one", Sample.part("a", 1, 100, 0), gpus.subList(0, 1));
    assertThrows(
        StoreException.class,
        () -> store.grant("one", gpus.subList(1, 2), NOON, NOON.plus(Sample.HOUR)));
    assertThrows(
        StoreException.class,
        () -> store.grant("none", gpus.subList(1, 2), NOON, NOON.plus(Sample.HOUR)));
  }

  @Test
  void statesFollowTheirRules() {
    granted("one", Sample.whole("a", 1), gpus.subList(0, 1));
    assertEquals(LeaseState.ACTIVE, store.move("one", LeaseState.ACTIVE, NOON, "used").state());
    assertThrows(StoreException.class, () -> store.move("one", LeaseState.REQUESTED, NOON, ""));
    store.move("one", LeaseState.REVOKED, NOON, "why");
    assertThrows(StoreException.class, () -> store.move("one", LeaseState.IDLE, NOON, ""));
    Lease over = store.find("one").orElseThrow();
    assertEquals(LeaseState.REVOKED, over.state());
    assertEquals("why", over.reason());
    assertEquals(List.of(), store.alive());
    assertEquals(List.of(over), store.over(PAST, 10));
  }

  @Test
  void aSuspendedLeaseLeavesItsDevicesToOthersAndTheLedger() {
    Lease lease = granted("one", Sample.whole("a", 1), gpus.subList(0, 1));
    store.move("one", LeaseState.ACTIVE, NOON, "");
    store.move("one", LeaseState.SUSPENDED, NOON.plusSeconds(60), "put aside");
    reopen();
    Lease suspended = store.find("one").orElseThrow();
    assertEquals(List.of(suspended), store.alive());
    assertEquals(LeaseState.SUSPENDED, suspended.state());
    assertEquals("put aside", suspended.reason());
    assertEquals(lease.gpus(), suspended.gpus());
    granted("two", Sample.whole("b", 1), gpus.subList(0, 1));
    store.roll(NOON.plusSeconds(120));
    store.move("two", LeaseState.RELEASED, NOON.plusSeconds(180), "");
    store.move("one", LeaseState.ACTIVE, NOON.plusSeconds(240), "");
    store.move("one", LeaseState.RELEASED, NOON.plusSeconds(300), "");
    List<LedgerRow> rows =
        store.ledger(Instant.EPOCH).stream().filter(row -> row.lease().equals("one")).toList();
    assertEquals(List.of(NOON, NOON.plusSeconds(240)), rows.stream().map(LedgerRow::from).toList());
    assertEquals(
        List.of(NOON.plusSeconds(60), NOON.plusSeconds(300)),
        rows.stream().map(LedgerRow::to).toList());
  }

  @Test
  void aSuspendedLeaseCanGetOtherDevices() {
    Lease lease = granted("one", Sample.whole("a", 2), gpus.subList(0, 2));
    List<Gpu> others = List.of(gpus.get(2), gpus.get(1));
    assertThrows(StoreException.class, () -> store.replace("one", others));
    store.move("one", LeaseState.SUSPENDED, NOON.plusSeconds(60), "");
    assertThrows(StoreException.class, () -> store.replace("one", gpus.subList(0, 1)));
    assertThrows(StoreException.class, () -> store.replace("two", others));
    assertEquals(others, store.replace("one", others).gpus());
    reopen();
    assertEquals(others, store.find("one").orElseThrow().gpus());
    granted("two", Sample.whole("b", 1), gpus.subList(0, 1));
    store.move("one", LeaseState.IDLE, NOON.plusSeconds(120), "");
    store.move("one", LeaseState.RELEASED, NOON.plusSeconds(180), "");
    assertEquals(
        Stream.concat(lease.gpus().stream(), others.stream()).map(Gpu::uuid).toList(),
        store.ledger(Instant.EPOCH).stream().map(row -> row.gpu().uuid()).toList());
  }

  @Test
  void whatWasDoneBeforeASuspensionIsInOneRow() {
    granted("one", Sample.part("a", 1, 500, Sample.GIB), gpus.subList(0, 1));
    store.count("one", 5, 6);
    store.countBusy("one", List.of(7L));
    store.move("one", LeaseState.SUSPENDED, NOON.plusSeconds(60), "");
    store.move("one", LeaseState.IDLE, NOON.plusSeconds(120), "");
    store.count("one", 8, 9);
    store.move("one", LeaseState.RELEASED, NOON.plusSeconds(180), "");
    List<LedgerRow> rows = store.ledger(Instant.EPOCH);
    assertEquals(List.of(5L, 8L), rows.stream().map(LedgerRow::bytesIn).toList());
    assertEquals(List.of(6L, 9L), rows.stream().map(LedgerRow::bytesOut).toList());
    assertEquals(
        List.of(Optional.of(Duration.ofNanos(7)), Optional.empty()),
        rows.stream().map(LedgerRow::busy).toList());
  }

  @Test
  void aLeaseIsRenewedWhileItHasDevices() {
    asked("one", Sample.whole("a", 1));
    Instant later = NOON.plus(Duration.ofDays(1));
    assertThrows(StoreException.class, () -> store.renew("one", later));
    store.grant("one", gpus.subList(0, 1), NOON, NOON.plus(Sample.HOUR));
    assertEquals(later, store.renew("one", later).expires());
    store.move("one", LeaseState.EXPIRED, NOON, "");
    assertThrows(StoreException.class, () -> store.renew("one", later));
  }

  @Test
  void theEndOfALeaseIsInTheLedger() {
    Lease lease = granted("one", Sample.part("a", 2, 500, Sample.GIB), gpus.subList(1, 3));
    store.count("one", 10, 20);
    store.count("one", 1, 2);
    store.move("one", LeaseState.RELEASED, NOON.plusSeconds(90), "");
    reopen();
    List<LedgerRow> rows = store.ledger(Instant.EPOCH);
    assertEquals(
        List.of(
            new LedgerRow(
                1,
                "one",
                "a",
                "test",
                lease.epoch(),
                gpus.get(1),
                500,
                NOON,
                NOON.plusSeconds(90),
                11,
                22,
                Optional.empty(),
                OptionalLong.empty(),
                true,
                Identity.NONE,
                LeaseMode.REMOTE),
            new LedgerRow(
                2,
                "one",
                "a",
                "test",
                lease.epoch(),
                gpus.get(2),
                500,
                NOON,
                NOON.plusSeconds(90),
                0,
                0,
                Optional.empty(),
                OptionalLong.empty(),
                true,
                Identity.NONE,
                LeaseMode.REMOTE)),
        rows);
    assertEquals(List.of(), store.ledger(NOON.plusSeconds(90)));
  }

  @Test
  void howLongADeviceWasBusyIsInTheLedgerWhereItWasMeasured() {
    granted("one", Sample.part("a", 2, 500, Sample.GIB), gpus.subList(1, 3));
    store.countBusy("one", List.of(1_000_000L, 0L));
    store.countBusy("one", List.of(500_000L, 0L));
    store.countBusy("one", 1, 7);
    store.roll(NOON.plusSeconds(1));
    store.roll(NOON.plusSeconds(2));
    store.countBusy("one", List.of(Duration.ofHours(1).toNanos(), 1L));
    store.move("one", LeaseState.RELEASED, NOON.plusSeconds(3), "");
    reopen();
    assertEquals(
        List.of(
            Optional.of(Duration.ofNanos(1_500_000)),
            Optional.of(Duration.ofNanos(7)),
            Optional.empty(),
            Optional.empty(),
            Optional.of(Duration.ofSeconds(1)),
            Optional.of(Duration.ofNanos(1))),
        store.ledger(Instant.EPOCH).stream().map(LedgerRow::busy).toList());
  }

  @Test
  void energyIsInTheLedgerWhereItWasMeasured() {
    granted("one", Sample.part("a", 2, 500, Sample.GIB), gpus.subList(1, 3));
    store.countEnergy("one", 1, 7_000_000_000L);
    store.countEnergy("one", 1, 5);
    store.roll(NOON.plusSeconds(1));
    store.countEnergy("one", 0, 3);
    store.move("one", LeaseState.RELEASED, NOON.plusSeconds(3), "");
    reopen();
    assertEquals(
        List.of(
            OptionalLong.empty(),
            OptionalLong.of(7_000_000_005L),
            OptionalLong.of(3),
            OptionalLong.empty()),
        store.ledger(Instant.EPOCH).stream().map(LedgerRow::energy).toList());
  }

  @Test
  void aShareIsChangedWhileItIsUsed() {
    granted("one", Sample.part("a", 2, 500, Sample.GIB), gpus.subList(1, 3));
    granted("two", Sample.part("a", 1, 300, Sample.GIB), gpus.subList(2, 3));
    assertThrows(
        StoreException.class, () -> store.share("one", 701, Sample.GIB, NOON.plusSeconds(1)));
    Lease changed = store.share("one", 700, 2 * Sample.GIB, NOON.plusSeconds(2));
    store.move("one", LeaseState.RELEASED, NOON.plusSeconds(3), "");
    reopen();
    assertEquals(gpus.subList(1, 3), changed.gpus());
    assertEquals(700, changed.request().share());
    assertEquals(2 * Sample.GIB, changed.request().memory());
    List<LedgerRow> rows = store.ledger(Instant.EPOCH);
    assertEquals(List.of(500, 500, 700, 700), rows.stream().map(LedgerRow::share).toList());
    assertEquals(NOON.plusSeconds(2), rows.get(1).to());
    assertEquals(NOON.plusSeconds(2), rows.get(2).from());
    assertThrows(
        StoreException.class, () -> store.share("one", 100, Sample.GIB, NOON.plusSeconds(4)));
  }

  @Test
  void whatWasNeverGrantedIsNotInTheLedger() {
    asked("one", Sample.whole("a", 1));
    store.move("one", LeaseState.RELEASED, NOON, "not waited for");
    assertEquals(List.of(), store.ledger(Instant.EPOCH));
  }

  @Test
  void rowsFollowEachOtherWithoutAGap() {
    granted("one", Sample.whole("a", 1), gpus.subList(0, 1));
    store.count("one", 5, 6);
    store.roll(NOON.plusSeconds(10));
    store.roll(NOON.plusSeconds(10));
    store.count("one", 7, 8);
    store.move("one", LeaseState.RELEASED, NOON.plusSeconds(30), "");
    List<LedgerRow> rows = store.ledger(Instant.EPOCH);
    assertEquals(2, rows.size(), "no row of no time");
    assertEquals(rows.getFirst().to(), rows.getLast().from());
    assertEquals(List.of(5L, 7L), rows.stream().map(LedgerRow::bytesIn).toList());
    assertEquals(List.of(false, true), rows.stream().map(LedgerRow::last).toList());
  }

  @Test
  void aClockThatIsSetBackMakesNoNegativeTime() {
    granted("one", Sample.whole("a", 1), gpus.subList(0, 1));
    store.move("one", LeaseState.RELEASED, NOON.minusSeconds(5), "");
    LedgerRow row = store.ledger(Instant.EPOCH).getFirst();
    assertEquals(NOON, row.from());
    assertEquals(NOON, row.to());
  }

  @Test
  void theSecretStays() {
    String secret = store.secret().digits();
    reopen();
    assertEquals(secret, store.secret().digits());
    assertNotEquals(secret, store.secret().derived("a").digits());
  }

  @Test
  void whenItsOwnerWasSeenIsKept() {
    assertEquals(Instant.EPOCH, store.seen());
    store.seen(NOON);
    reopen();
    assertEquals(NOON, store.seen());
  }

  @Test
  void whatIsDoneSurvivesAPowerCut() {
    granted("one", Sample.whole("a", 1), gpus.subList(0, 1));
    granted("two", Sample.whole("b", 1), gpus.subList(1, 2));
    store.count("two", 3, 4);
    store.move("two", LeaseState.RELEASED, NOON.plusSeconds(1), "");
    store.settle();
    try (LeaseStore after = openAfterPowerCut()) {
      assertEquals(store.alive(), after.alive());
      assertEquals(store.over(PAST, 10), after.over(PAST, 10));
      assertEquals(1, after.ledger(Instant.EPOCH).size());
      assertEquals(store.ledger(Instant.EPOCH), after.ledger(Instant.EPOCH));
    }
  }

  @Test
  void whoUsesALeaseIsInTheLedger() {
    Identity identity =
        new Identity(Identity.VM, "7d1c", "/DC=org/CN=Ada", "/vo/Role=user", "IFCA-LCG2");
    LeaseRequest request = Sample.identified(Sample.whole("a", 1), identity);
    granted("one", request, gpus.subList(0, 1));
    store.move("one", LeaseState.RELEASED, NOON.plusSeconds(1), "");
    reopen();
    assertEquals(identity, store.find("one").orElseThrow().request().identity());
    assertEquals(identity, store.ledger(Instant.EPOCH).getFirst().identity());
  }

  @Test
  void whichGenerationIsWantedAndHowLongItMayBeIdleStays() {
    Gpu hopper = new Gpu(0, "GPU-0", "NVIDIA H200", 1L << 37, Optional.of(Architecture.HOPPER));
    IdleLimits limits = IdleLimits.NONE.with(IdleStep.SUSPEND, Duration.ofMinutes(5));
    LeaseRequest request =
        Sample.idle(Sample.of(Architecture.HOPPER, Sample.whole("a", 1)), limits);
    granted("one", request, List.of(hopper));
    reopen();
    Lease lease = store.find("one").orElseThrow();
    assertEquals(request, lease.request());
    assertEquals(List.of(hopper), lease.gpus());
    store.move("one", LeaseState.RELEASED, NOON.plusSeconds(1), "");
    assertEquals(hopper, store.ledger(Instant.EPOCH).getFirst().gpu());
  }

  private static AccessToken token(String id, Standing standing) {
    return new AccessToken(id, standing, "for tests", NOON, NOON.plusSeconds(9), false);
  }

  @Test
  void tokensStayAndAreRevoked() {
    AccessToken token =
        token("t1", new Standing(Role.USER, "a", "/CN=Ada", Optional.of(new Fqan("/vo/Role=x"))));
    AccessToken other = new AccessToken("t3", token.standing(), "", NOON, NOON, true);
    Bytes hash = Bytes.random(32);
    Bytes otherHash = Bytes.random(32);
    store.accounts().add(token, hash);
    store.accounts().add(other, otherHash);
    reopen();
    assertEquals(Map.of(hash, token, otherHash, other), store.accounts().tokens());
    assertTrue(store.accounts().revoke("t1").revoked());
    reopen();
    assertTrue(store.accounts().tokens().get(hash).revoked());
    assertThrows(StoreException.class, () -> store.accounts().revoke("t2"));
  }

  @Test
  void tokensThatHaveEndedAreForgotten() {
    for (int i = 1; i <= 3; i++) {
      Instant end = NOON.plusSeconds(i);
      store
          .accounts()
          .add(
              new AccessToken("t" + i, new Standing(Role.USER, "a"), "", NOON, end, false),
              Bytes.random(32));
    }
    AccessToken unused = store.accounts().revoke("t1");
    store.accounts().forget(NOON.plusSeconds(3));
    reopen();
    assertEquals(
        List.of("t3"), store.accounts().tokens().values().stream().map(AccessToken::id).toList());
  }

  @Test
  void tenantsAreSetAnew() {
    AccountStore accounts = store.accounts();
    assertEquals(Optional.empty(), accounts.tenant("a"));
    accounts.set(new Tenant("a", Optional.of(Duration.ofHours(5))));
    accounts.set(new Tenant("b", Optional.empty()));
    accounts.set(new Tenant("a", Optional.of(Duration.ofHours(7))));
    reopen();
    assertEquals(
        List.of(
            new Tenant("a", Optional.of(Duration.ofHours(7))), new Tenant("b", Optional.empty())),
        store.accounts().tenants());
  }

  @Test
  void whatATenantHasSpentIsItsShares() {
    granted("one", Sample.part("a", 2, 500, 0), gpus.subList(0, 2));
    store.move("one", LeaseState.RELEASED, NOON.plusSeconds(10), "");
    granted("two", Sample.part("a", 1, 250, 0), gpus.subList(0, 1));
    assertEquals(10_000, store.accounts().spent("a", NOON));
    assertEquals(11_000, store.accounts().spent("a", NOON.plusSeconds(4)));
    assertEquals(0, store.accounts().spent("b", NOON.plusSeconds(4)));
  }

  @Test
  void someRowsOfTheLedgerAreRead() {
    for (String tenant : List.of("a", "b", "a", "a")) {
      String id = "lease" + store.ledger(Instant.EPOCH).size();
      granted(id, Sample.whole(tenant, 1), gpus.subList(0, 1));
      store.move(id, LeaseState.RELEASED, NOON.plusSeconds(9), "");
    }
    assertEquals(List.of(1L, 3L, 4L), numbers(new LedgerQuery(NOON, 0, "a", 9)));
    assertEquals(List.of(2L, 3L), numbers(new LedgerQuery(NOON, 1, "", 2)));
    assertEquals(List.of(), numbers(new LedgerQuery(NOON.plusSeconds(9), 0, "", 9)));
  }

  private List<Long> numbers(LedgerQuery wanted) {
    return store.ledger(wanted).stream().map(LedgerRow::number).toList();
  }

  /** Software GPUs of two nodes have the same UUIDs. */
  @Test
  void devicesOfTwoNodesWithOneUuidAreTwo() {
    Gpu here = gpus.getFirst();
    Gpu there = here.on("other");
    granted("one", Sample.whole("a", 1), List.of(here));
    granted("two", Sample.whole("a", 1), List.of(there));
    asked("three", Sample.whole("a", 1));
    assertThrows(
        StoreException.class,
        () -> store.grant("three", List.of(there), NOON, NOON.plus(Sample.HOUR)));
    reopen();
    assertEquals(Optional.of(List.of(there)), store.find("two").map(Lease::gpus));
    store.move("two", LeaseState.RELEASED, NOON.plusSeconds(1), "");
    assertEquals(there, store.ledger(Instant.EPOCH).getFirst().gpu());
    assertEquals(List.of(there), store.grant("three", List.of(there), NOON, NOON).gpus());
  }

  @Test
  void aDeviceIsOutForMaintenanceOnItsNodeAlone() {
    GpuId here = gpus.getFirst().id();
    GpuId there = gpus.getFirst().on("other").id();
    store.cordon(there, "a fan");
    store.cordon(here, "dust");
    reopen();
    assertEquals(Map.of(there, "a fan", here, "dust"), store.cordons());
    store.uncordon(there);
    assertEquals(Map.of(here, "dust"), store.cordons());
  }

  @Test
  void aDeviceIsToBeOutForMaintenance() {
    GpuId here = gpus.get(0).id();
    GpuId there = gpus.get(1).on("other").id();
    Closing without = new Closing(NOON, "");
    store.closes(here, new Closing(NOON.plusSeconds(9), "a new fan"));
    store.closes(there, new Closing(NOON.plusSeconds(1), "dust"));
    store.closes(there, without);
    reopen();
    assertEquals(
        Map.of(here, new Closing(NOON.plusSeconds(9), "a new fan"), there, without),
        store.closings());
    store.cordon(here, "a new fan");
    assertEquals(Map.of(there, without), store.closings(), "it is out");
    store.uncordon(there);
    assertEquals(Map.of(), store.closings());
  }

  private void over(String id, String tenant, long second) {
    asked(id, Sample.whole(tenant, 1));
    store.move(id, LeaseState.RELEASED, NOON.plusSeconds(second), "");
  }

  private List<String> past(String tenant, Optional<LeaseCursor> after, int most) {
    return store.over(new LeaseQuery(tenant, true, after, most), most).stream()
        .map(Lease::id)
        .toList();
  }

  /** Those of others take no place. */
  @Test
  void theLastOfATenantAreTheTenants() {
    over("mine", "a", 1);
    for (int i = 0; i < 5; i++) {
      over("other" + i, "b", 2 + i);
    }
    asked("waits", Sample.whole("a", 1));
    assertEquals(List.of("mine"), past("a", Optional.empty(), 2));
    assertEquals(List.of("other4", "other3"), past("", Optional.empty(), 2));
  }

  /** Also of those that ended in one moment; one that ends between them is before the first. */
  @Test
  void pagesHaveEachOnce() {
    for (String id : List.of("c", "a", "b")) {
      over(id, "a", 1);
    }
    over("later", "a", 2);
    over("older", "a", 0);
    assertEquals(List.of("later", "a"), past("a", Optional.empty(), 2));
    Optional<LeaseCursor> first = store.find("a").map(LeaseCursor::of);
    over("new", "a", 3);
    assertEquals(List.of("b", "c"), past("a", first, 2));
    assertEquals(List.of("older"), past("a", store.find("c").map(LeaseCursor::of), 2));
    assertEquals(List.of(), past("a", store.find("older").map(LeaseCursor::of), 2));
    Optional<LeaseCursor> living = Optional.of(new LeaseCursor(false, NOON, "z"));
    assertEquals(List.of("new", "later"), past("a", living, 2));
  }

  private Lease orderedBy(long epoch, String id, List<Gpu> devices) {
    Lease held = Sample.holding(id, Sample.whole("a", devices.size()), devices);
    return new Lease(
        id,
        held.request(),
        held.state(),
        epoch,
        devices,
        NOON,
        NOON,
        held.expires(),
        Instant.EPOCH,
        "");
  }

  /** A node has its own grants, whose epochs say nothing of a broker's. */
  @Test
  void aGrantOfAnotherStoreIsTakenAsItIs() {
    granted("own", Sample.whole("a", 1), gpus.subList(0, 1));
    Lease order = orderedBy(1, "one", gpus.subList(1, 3));
    assertEquals(order, store.take(order));
    reopen();
    assertEquals(Optional.of(order), store.find("one"));
    Lease crowded = orderedBy(2, "two", gpus.subList(2, 3));
    assertThrows(StoreException.class, () -> store.take(crowded));
    assertEquals(Optional.empty(), store.find("two"), "nothing is left of it");
    store.move("one", LeaseState.RELEASED, NOON.plusSeconds(1), "");
    assertEquals(crowded, store.take(crowded));
  }

  @Test
  void anOlderGrantIsRefused() {
    store.take(orderedBy(5, "one", gpus.subList(0, 1)));
    store.move("one", LeaseState.RELEASED, NOON.plusSeconds(1), "");
    reopen();
    for (long epoch : List.of(4L, 5L)) {
      Lease old = orderedBy(epoch, "old", gpus.subList(0, 1));
      assertThrows(StoreException.class, () -> store.take(old));
    }
    store.take(orderedBy(6, "next", gpus.subList(0, 1)));
  }

  @Test
  void aNodeJoinsOnceWithItsInvitation() {
    NodeStore nodes = store.nodes();
    Bytes invitation = Bytes.random(32);
    Bytes credential = Bytes.random(32);
    nodes.invite("n1", Bytes.random(32), NOON.plusSeconds(9));
    nodes.invite("n1", invitation, NOON.plusSeconds(9));
    assertThrows(StoreException.class, () -> nodes.join("n1", Bytes.random(32), credential, NOON));
    assertThrows(
        StoreException.class, () -> nodes.join("n1", invitation, credential, NOON.plusSeconds(9)));
    assertThrows(StoreException.class, () -> nodes.join("n2", invitation, credential, NOON));
    assertEquals(Map.of(), nodes.credentials());
    nodes.join("n1", invitation, credential, NOON);
    reopen();
    assertEquals(Map.of("n1", credential), store.nodes().credentials());
    assertThrows(
        StoreException.class, () -> store.nodes().join("n1", invitation, credential, NOON));
    assertThrows(
        StoreException.class, () -> store.nodes().invite("n1", invitation, NOON.plusSeconds(9)));
    store.nodes().remove("n1");
    assertEquals(List.of(), store.nodes().all());
    assertThrows(StoreException.class, () -> store.nodes().remove("n1"));
  }

  @Test
  void epochsGoOnBehindThoseThatNodesHaveTaken() {
    Lease lease = asked("a", Sample.whole("a", 1));
    store.grantsAbove(41);
    store.grantsAbove(7);
    reopen();
    Lease granted = store.grant(lease.id(), gpus.subList(0, 1), NOON, NOON.plusSeconds(9));
    assertEquals(42, granted.epoch());
    assertEquals(0, store.taken());
  }

  @Test
  void theAuthorityOfThePoolIsMadeOnce() {
    assertEquals("one", store.nodes().authority(() -> "one"));
    assertEquals("one", store.nodes().authority(() -> "other"));
    reopen();
    assertEquals("one", store.nodes().authority(() -> "other"));
  }

  @Test
  void whatANodeHasIsKept() {
    store.nodes().invite("n1", Bytes.random(32), NOON.plusSeconds(9));
    List<Gpu> its = gpus.stream().map(gpu -> gpu.on("n1")).toList();
    store.nodes().describe("n1", List.of("tcp://a:1", "tls://b"), its);
    store.nodes().describe("n1", List.of("tcp://a:1"), its.subList(0, 2));
    reopen();
    assertEquals(
        List.of(new PoolNode("n1", false, List.of("tcp://a:1"), its.subList(0, 2))),
        store.nodes().all());
    assertThrows(StoreException.class, () -> store.nodes().describe("n2", List.of(), List.of()));
  }

  @Test
  void termsGrowAndAnEarlierOneIsNotObeyed() {
    long first = store.nodes().lead(0);
    reopen();
    assertTrue(store.nodes().lead(0) > first);
    assertTrue(store.nodes().lead(first + (1 << 30)) > first + (1 << 30));
    assertEquals(0, store.nodes().followed());
    assertTrue(store.nodes().follow(7));
    reopen();
    assertTrue(store.nodes().follow(7));
    assertFalse(store.nodes().follow(6));
    assertTrue(store.nodes().follow(8));
    assertEquals(8, store.nodes().followed());
  }

  /** Two brokers that have begun from the same store are not taken for one. */
  @Test
  void aTermThatBeganFromTheSameStoreIsNotObeyed() {
    long term = store.nodes().lead(0);
    assertTrue(store.nodes().follow(term));
    assertFalse(store.nodes().follow(term + 1));
    assertFalse(store.nodes().follow(term - 1));
    assertTrue(store.nodes().follow(term));
    assertTrue(store.nodes().follow(store.nodes().lead(term)));
  }

  private static GpuUse use(Gpu gpu, long bytes, long busy) {
    return new GpuUse(gpu.id(), bytes, 2 * bytes, OptionalLong.of(busy), OptionalLong.of(busy / 2));
  }

  /** However often, and whatever rows there are meanwhile. */
  @Test
  void whatIsSaidAgainIsCountedOnce() {
    granted("one", Sample.whole("a", 2), gpus.subList(0, 2));
    GpuUse first = use(gpus.getFirst(), 5, 10);
    store.countUpTo("one", List.of(first));
    store.countUpTo("one", List.of(first));
    store.roll(NOON.plusSeconds(1));
    reopen();
    store.countUpTo("one", List.of(first));
    GpuUse more = use(gpus.getFirst(), 7, 30);
    store.countUpTo("one", List.of(more, use(gpus.get(3), 9, 9)));
    store.countUpTo("one", List.of(first));
    GpuUse none = new GpuUse(gpus.get(1).id(), 0, 0, OptionalLong.empty(), OptionalLong.empty());
    assertEquals(List.of(more, none), store.used("one"));
    store.move("one", LeaseState.RELEASED, NOON.plusSeconds(2), "");
    assertEquals(List.of(more, none), store.used("one"));
    store.countUpTo("one", List.of(use(gpus.getFirst(), 99, 99)));
    assertEquals(List.of(more, none), store.used("one"), "it is over");
    assertEquals(
        List.of(5L, 2L),
        store.ledger(Instant.EPOCH).stream()
            .filter(row -> row.gpu().equals(gpus.getFirst()))
            .map(LedgerRow::bytesIn)
            .toList());
  }

  /** As many devices of two nodes, with the same UUIDs. */
  private Lease ofTwoNodes() {
    List<Gpu> both =
        Stream.of("n1", "n2")
            .flatMap(node -> gpus.subList(0, 2).stream().map(gpu -> gpu.on(node)))
            .toList();
    return granted("one", Sample.whole("a", 4).toBuilder().mostNodes(2).build(), both);
  }

  @Test
  void theDevicesOfANodeAreGivenBackAlone() {
    Lease lease = ofTwoNodes();
    assertThrows(
        StoreException.class,
        () -> granted("two", Sample.whole("b", 1), lease.gpus().subList(0, 1)));
    Instant later = NOON.plusSeconds(5);
    Lease rest = store.leave("one", "n1", later);
    reopen();
    assertEquals(lease.gpus().subList(2, 4), rest.gpus());
    assertEquals(rest, store.find("one").orElseThrow());
    assertEquals(
        lease.gpus().subList(0, 2),
        store.ledger(Instant.EPOCH).stream().map(LedgerRow::gpu).toList());
    assertTrue(
        store.ledger(Instant.EPOCH).stream().allMatch(row -> row.last() && row.to().equals(later)));
    Lease next = granted("next", Sample.whole("b", 2), lease.gpus().subList(0, 2));
    assertEquals(LeaseState.GRANTED, next.state());
    assertThrows(StoreException.class, () -> store.leave("one", "n2", later), "it has no others");
    store.move("one", LeaseState.RELEASED, NOON.plusSeconds(9), "");
    assertEquals(4, store.ledger(Instant.EPOCH).size());
  }

  /** Two nodes have devices with the same UUID, and each tells of its own. */
  @Test
  void useIsThatOfADeviceOfItsNode() {
    Lease lease = ofTwoNodes();
    GpuUse here = use(lease.gpus().get(0), 5, 10);
    GpuUse there = use(lease.gpus().get(2), 7, 20);
    store.countUpTo("one", List.of(here));
    store.countUpTo("one", List.of(there, use(gpus.getFirst(), 99, 99)));
    List<GpuUse> used = store.used("one");
    assertEquals(4, used.size());
    assertTrue(used.containsAll(List.of(here, there)), used::toString);
    store.leave("one", "n1", NOON.plusSeconds(5));
    store.countUpTo("one", List.of(here, there));
    assertTrue(store.used("one").containsAll(List.of(here, there)), store.used("one")::toString);
  }

  @Test
  void partsOfOtherNodesAreKept() {
    List<LeasePart> parts =
        List.of(
            new LeasePart("n2", "tls://n2:14901", Optional.of(Token.random())),
            new LeasePart("n3", "", Optional.empty()));
    store.nodes().parts("one", parts);
    store.nodes().parts("two", parts.subList(1, 2));
    reopen();
    assertEquals(List.of("one", "two"), store.nodes().parts().keySet().stream().sorted().toList());
    assertEquals(parts, store.nodes().parts().get("one"));
    store.nodes().parts("one", List.of());
    assertEquals(Map.of("two", parts.subList(1, 2)), store.nodes().parts());
  }

  private static LeaseRequest within(String tenant, Duration time) {
    return Sample.whole(tenant, 1).toBuilder()
        .service(ServiceClass.GUARANTEED)
        .within(time)
        .build();
  }

  /** However often it is said, and whatever the lease becomes. */
  @Test
  void aMissedTargetHasOneRow() {
    Lease late = asked("late", within("a", Duration.ofMinutes(5)));
    Lease other = asked("other", within("b", Duration.ofMinutes(6)));
    store.missed(late, late.due().orElseThrow(), "room");
    store.missed(late, late.due().orElseThrow().plusSeconds(1), "kept");
    store.missed(other, other.due().orElseThrow(), "absent");
    store.move("late", LeaseState.RELEASED, NOON.plusSeconds(900), "");
    reopen();
    List<MissedTarget> missed = store.missed(LedgerQuery.since(Instant.EPOCH));
    assertEquals(List.of("late", "other"), missed.stream().map(MissedTarget::lease).toList());
    MissedTarget first = missed.getFirst();
    assertEquals(
        new MissedTarget(first.number(), "late", "a", "test", NOON.plusSeconds(300), "room"),
        first);
    assertEquals(
        missed.subList(1, 2),
        store.missed(new LedgerQuery(NOON, first.number(), "", Integer.MAX_VALUE)));
    assertEquals(
        missed.subList(1, 2), store.missed(new LedgerQuery(NOON, 0, "b", Integer.MAX_VALUE)));
  }
}
