// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.Allotment;
import io.outboard.backend.SessionFigures;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Anything that may happen to leases, in any order, with power cuts between: never is a device
 * anybody's beside its holder, and the ledger has every second that a device was somebody's.
 */
final class BrokerFaultsTest {
  private static final int STEPS = 250;

  @TempDir private Path folder;
  private final TestClock clock = new TestClock();
  private final List<TestSession> sessions = new ArrayList<>();
  private final Map<String, Instant> granted = new HashMap<>();
  private Path file;
  private Broker broker;
  private int cuts;

  private void open() {
    broker = new Broker(SqliteLeaseStore.open(file), Sample.gpus(4), clock);
  }

  /** The processes are gone; what is on the disk is not. */
  private void cutPower() {
    file = SqliteLeaseStoreTest.copy(file, folder.resolve("cut" + cuts++));
    Broker gone = broker;
    sessions.clear();
    open();
    gone.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void nothingIsLostOrGivenTwice(long seed) throws LeaseException {
    Random random = new Random(seed);
    file = folder.resolve("leases.db");
    open();
    for (int step = 0; step < STEPS; step++) {
      clock.pass(Duration.ofSeconds(random.nextInt(120)));
      act(random);
      sessions.removeIf(TestSession::isStopped);
      broker.alive().stream()
          .filter(lease -> lease.state().holds())
          .forEach(lease -> granted.putIfAbsent(lease.id(), lease.granted()));
      checkDevices(seed);
    }
    checkLedger();
    broker.close();
  }

  private void act(Random random) throws LeaseException {
    List<Lease> alive = broker.alive();
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> broker.request(Sample.any(random));
      case 3, 4 -> useOne(random, alive);
      case 5 -> useWithout();
      case 6 -> endSession(random);
      case 7 -> endLease(random, alive, LeaseState.RELEASED);
      case 8 -> endLease(random, alive, LeaseState.REVOKED);
      case 9 -> broker.roll();
      case 10 -> broker.tick();
      default -> cutPower();
    }
  }

  private void useOne(Random random, List<Lease> alive) throws LeaseException {
    List<Lease> usable =
        alive.stream()
            .filter(lease -> lease.state().admits() && !lease.request().isCommon())
            .filter(lease -> lease.expires().isAfter(clock.instant()))
            .toList();
    if (!usable.isEmpty()) {
      Lease lease = usable.get(random.nextInt(usable.size()));
      sessions.add(TestSession.start(broker.admissions().admit(broker.token(lease).name())));
    }
  }

  private void useWithout() {
    try {
      sessions.add(TestSession.start(broker.admissions().admitWithout("test")));
    } catch (LeaseException e) {
      assertTrue(e.getMessage().contains("leased"), e.getMessage());
    }
  }

  private void endSession(Random random) {
    if (!sessions.isEmpty()) {
      sessions.remove(random.nextInt(sessions.size())).end(SessionFigures.NOTHING);
    }
  }

  private void endLease(Random random, List<Lease> alive, LeaseState how) throws LeaseException {
    if (!alive.isEmpty()) {
      broker.end(alive.get(random.nextInt(alive.size())).id(), how, "");
    }
  }

  private void checkDevices(long seed) {
    Map<String, Integer> shares = new HashMap<>();
    for (Lease lease : broker.alive()) {
      for (Gpu gpu : lease.gpus()) {
        shares.merge(gpu.uuid(), lease.request().share(), Integer::sum);
      }
    }
    assertTrue(
        shares.values().stream().allMatch(share -> share <= LeaseRequest.WHOLE),
        () -> "seed " + seed + ": " + shares);
    for (TestSession session : sessions) {
      for (Allotment.Gpu gpu : session.admitted().allotment().gpus()) {
        assertTrue(
            shares.containsKey(gpu.uuid()), () -> "seed " + seed + ": nobody has " + gpu.uuid());
      }
    }
  }

  /** From the grant to the end, without a gap, for each device of each lease that is over. */
  private void checkLedger() {
    Map<String, Instant> reached = new HashMap<>();
    Map<String, Boolean> over = new HashMap<>();
    for (LedgerRow row : broker.ledger(LedgerQuery.since(Instant.EPOCH))) {
      String what = row.lease() + " " + row.gpu().uuid();
      Instant expected = reached.getOrDefault(what, granted.get(row.lease()));
      assertEquals(expected, row.from(), what);
      reached.put(what, row.to());
      over.put(row.lease(), row.last());
    }
    for (Lease lease : broker.alive()) {
      granted.remove(lease.id());
    }
    granted.keySet().forEach(id -> assertEquals(true, over.get(id), "the last row of " + id));
  }
}
