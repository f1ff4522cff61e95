// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.library.Allotment;
import io.outboard.backend.supervision.Admitted;
import io.outboard.backend.supervision.SessionFigures;
import io.outboard.lease.Gpu;
import io.outboard.lease.IdleLimits;
import io.outboard.lease.IdleStep;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.LeaseState;
import io.outboard.lease.LedgerQuery;
import io.outboard.lease.account.AccessToken;
import io.outboard.lease.account.Role;
import io.outboard.lease.account.Standing;
import io.outboard.lease.account.Tenant;
import io.outboard.lease.schedule.LivingLeases;
import io.outboard.lease.sqlite.SqliteLeaseStore;
import io.outboard.lease.testkit.PowerCut;
import io.outboard.lease.testkit.Sample;
import io.outboard.lease.testkit.TestClock;
import io.outboard.pool.idle.IdleWatch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Anything that may happen to leases, in any order, with power cuts between: never is a device
 * anybody's beside its holder, the ledger has every second that a device was somebody's and no byte
 * twice, no budget is exceeded, and tokens are what they were.
 */
final class BrokerFaultsTest {
  private static final int STEPS = 300;
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final Duration BUDGET = Duration.ofHours(6);

  private static final IdleLimits IDLE =
      IdleLimits.NONE
          .with(IdleStep.MARK, Duration.ofMinutes(2))
          .with(IdleStep.SUSPEND, Duration.ofMinutes(6))
          .with(IdleStep.REVOKE, Duration.ofMinutes(40));

  /** A program, and what it uses. */
  private record Program(Lease lease, TestSession session) {}

  @TempDir private Path folder;
  private final TestClock clock = new TestClock();
  private final LedgerModel ledger = new LedgerModel();
  private final List<Program> programs = new ArrayList<>();
  private final Map<String, Boolean> tokens = new HashMap<>();
  // Leases with native devices that have not been told to give them back.
  private final Map<String, Lease> handed = new HashMap<>();
  private Random random;
  private Path file;
  private Broker broker;
  private IdleWatch idle;
  private int cuts;

  private void open() {
    broker = new Broker(SqliteLeaseStore.open(file), Sample.gpus(4), clock);
    idle = new IdleWatch(broker, IDLE, _ -> {}, clock, Runnable::run);
  }

  /** The processes are gone; the disk's contents are not. */
  private void cutPower() {
    programs.forEach(program -> ledger.cut(program.lease().id()));
    file = PowerCut.copy(file, folder.resolve("cut" + cuts++));
    Broker gone = broker;
    programs.clear();
    open();
    gone.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void nothingIsLostOrGivenTwice(long seed) throws LeaseException {
    random = new Random(seed);
    file = folder.resolve("leases.db");
    open();
    broker.tenants().set(new Tenant("tenant1", Optional.of(BUDGET)));
    for (int step = 0; step < STEPS; step++) {
      pass(Duration.ofSeconds(random.nextInt(120)));
      act();
      awaitMoved();
      programs.removeIf(program -> program.session().isStopped());
      check("seed " + seed + ", step " + step);
    }
    broker.roll();
    ledger.check(broker.ledger(LedgerQuery.since(Sample.NOON.minusSeconds(1))));
    broker.close();
  }

  private void pass(Duration time) {
    ledger.pass(time, broker.alive());
    clock.pass(time);
  }

  /** Each change is seen before the next one. */
  private void awaitMoved() throws LeaseException {
    for (Lease lease : broker.alive()) {
      broker.suspensions().awaitMoved(lease.id());
    }
  }

  private void act() {
    List<Lease> before = broker.alive();
    try {
      actOrRefuse();
    } catch (LeaseException e) {
      // Not everything is possible at any time.
      assertTrue(!e.getMessage().isEmpty());
    }
    before.stream().filter(this::endedInUse).map(Lease::id).forEach(ledger::over);
  }

  /** One that ends while it is suspended has had its last row before. */
  private boolean endedInUse(Lease before) {
    try {
      Lease now = broker.find(before.id());
      boolean looked = now.reason().startsWith("idle for");
      return now.state().isEnd() && !before.state().isSuspended() && !looked;
    } catch (LeaseException e) {
      throw new AssertionError(e);
    }
  }

  private void actOrRefuse() throws LeaseException {
    switch (random.nextInt(21)) {
      case 0, 1, 2 -> broker.request(Sample.any(random));
      case 3 -> broker.request(Sample.handed("owner", 1 + random.nextInt(2)));
      case 4, 5, 6 -> useOne();
      case 7 -> run(broker.admissions().admitWithout("test", ""), Optional.empty());
      case 8 -> endProgram();
      case 9 -> end(LeaseState.RELEASED);
      case 10 -> end(LeaseState.REVOKED);
      case 11 -> broker.share(any().id(), 1 + random.nextInt(LeaseRequest.WHOLE));
      case 12 -> broker.renew(any().id(), Duration.ofMinutes(1 + random.nextInt(90)));
      case 13 -> suspendOrHold(any().id());
      case 14 -> broker.suspensions().resume(any().id(), Duration.ZERO);
      case 15 -> send();
      case 16 -> idle.look();
      case 17 -> changeTokens();
      case 18 -> rollOrDrain();
      case 19 -> failOrReadmit();
      default -> cutPower();
    }
  }

  private void suspendOrHold(String id) throws LeaseException {
    if (random.nextBoolean()) {
      broker.suspensions().suspend(id, PATIENCE, "");
    } else {
      broker.suspensions().hold(id, PATIENCE, "");
    }
  }

  private void rollOrDrain() throws LeaseException {
    if (random.nextBoolean()) {
      broker.roll();
    } else {
      broker.drain(any().id(), "");
    }
  }

  private void failOrReadmit() throws LeaseException {
    String gpu = Integer.toString(random.nextInt(4));
    if (random.nextInt(3) == 0) {
      broker.failed(gpu, "test");
    } else {
      broker.readmit(gpu);
    }
  }

  private void end(LeaseState how) throws LeaseException {
    Lease lease = any();
    handed.remove(lease.id());
    broker.end(lease.id(), how, "");
  }

  private Lease any() throws LeaseException {
    return any(_ -> true);
  }

  private Lease any(Predicate<Lease> which) throws LeaseException {
    List<Lease> alive = broker.alive().stream().filter(which).toList();
    if (alive.isEmpty()) {
      throw new LeaseException("there is none");
    }
    return alive.get(random.nextInt(alive.size()));
  }

  private void useOne() throws LeaseException {
    Lease lease = any(LivingLeases::isServed);
    run(broker.admissions().admit(BrokerCase.holder(lease)), Optional.of(lease));
  }

  private void run(Admitted admitted, Optional<Lease> lease) throws LeaseException {
    TestSession session = TestSession.start(admitted);
    Lease used = lease.isPresent() ? lease.get() : newest();
    programs.add(new Program(used, session));
  }

  private Lease newest() throws LeaseException {
    List<Lease> alive = broker.alive();
    return alive.getLast();
  }

  private Program program() throws LeaseException {
    if (programs.isEmpty()) {
      throw new LeaseException("there is none");
    }
    return programs.get(random.nextInt(programs.size()));
  }

  /** A program makes calls, which may have its lease resumed; it goes on then. */
  private void send() throws LeaseException {
    Program program = program();
    program.session().call();
    if (!program.session().isSuspended()) {
      long bytes = random.nextInt(1_000);
      SessionFigures before = program.session().figures();
      program
          .session()
          .does(
              new SessionFigures(
                  before.calls() + 1, before.bytesIn() + bytes, before.bytesOut() + 1));
      program.session().isAt(random.nextInt(4) == 0, before.calls() + 1);
      ledger.sent(program.lease().id(), bytes);
    }
  }

  private void endProgram() throws LeaseException {
    Program program = program();
    programs.remove(program);
    program.session().end(program.session().figures());
  }

  private void changeTokens() throws LeaseException {
    if (tokens.isEmpty() || random.nextBoolean()) {
      AccessToken issued =
          broker
              .accounts()
              .issue(new Standing(Role.USER, "tenant1"), "", Duration.ofDays(9))
              .token();
      tokens.put(issued.id(), false);
    } else {
      String id = tokens.keySet().iterator().next();
      broker.accounts().revoke(id);
      tokens.put(id, true);
    }
  }

  private void check(String when) {
    checkDevices(when);
    Map<String, Boolean> known =
        broker.accounts().tokens().stream()
            .collect(Collectors.toMap(AccessToken::id, AccessToken::revoked));
    assertEquals(tokens, known, when);
    assertTrue(broker.tenants().spent("tenant1").compareTo(BUDGET) <= 0, when);
  }

  private void checkDevices(String when) {
    Map<String, Integer> shares = new HashMap<>();
    for (Lease lease : broker.alive()) {
      if (lease.state().occupies()) {
        checkWorking(when, lease);
        lease
            .gpus()
            .forEach(gpu -> shares.merge(gpu.uuid(), lease.request().share(), Integer::sum));
      }
    }
    assertTrue(
        shares.values().stream().allMatch(share -> share <= LeaseRequest.WHOLE),
        () -> when + ": " + shares);
    Set<String> outside = inUse(when);
    for (Program program : programs) {
      if (!program.session().isSuspended()) {
        for (Allotment.Gpu gpu : program.session().admitted().allotment().gpus()) {
          assertTrue(shares.containsKey(gpu.uuid()), () -> when + ": nobody has " + gpu.uuid());
          assertTrue(!outside.contains(gpu.uuid()), () -> when + ": handed over: " + gpu.uuid());
        }
      }
    }
  }

  private void checkWorking(String when, Lease lease) {
    boolean seen = LivingLeases.isServed(lease);
    for (Gpu gpu : lease.gpus()) {
      assertTrue(
          !seen || broker.failure(gpu).isEmpty(), () -> when + ": " + lease + " has a dead GPU");
    }
  }

  /** The devices that containers use, whatever the time. */
  private Set<String> inUse(String when) {
    List<Lease> alive = broker.alive();
    for (Lease lease : alive) {
      if (lease.request().mode().handsOver() && lease.state().holds()) {
        handed.put(lease.id(), lease);
      }
    }
    Set<String> known = alive.stream().map(Lease::id).collect(Collectors.toSet());
    assertTrue(known.containsAll(handed.keySet()), () -> when + ": lost one of " + handed);
    return handed.values().stream()
        .flatMap(lease -> lease.gpus().stream())
        .map(Gpu::uuid)
        .collect(Collectors.toSet());
  }
}
