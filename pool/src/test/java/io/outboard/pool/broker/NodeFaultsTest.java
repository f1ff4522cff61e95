// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.supervision.SessionFigures;
import io.outboard.lease.Gpu;
import io.outboard.lease.GpuId;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.LeaseState;
import io.outboard.lease.LedgerQuery;
import io.outboard.lease.LedgerRow;
import io.outboard.lease.ServiceClass;
import io.outboard.lease.node.NodeOrders;
import io.outboard.lease.node.NodeReport;
import io.outboard.lease.sqlite.SqliteLeaseStore;
import io.outboard.lease.testkit.PowerCut;
import io.outboard.lease.testkit.Sample;
import io.outboard.lease.testkit.TestClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Anything that may happen between a broker, its nodes and programs, in any order: power cuts of
 * either, reports and orders that are lost, late or come twice, clients that go, clocks of either
 * that are set ahead or back, and a broker that has been followed by another one and does not know
 * it. Never has a device two holders on its node or two at the broker, no program ends because a
 * broker was away, the ledger has each byte once, and in the end all is given back.
 */
final class NodeFaultsTest {
  private static final int STEPS = 250;
  private static final List<String> NAMES = List.of("n1", "n2", "n3");
  private static final int GPUS = 2;

  /** Orders are obeyed at once here, and moments have no parts of a second. */
  private static final Duration LATE = Duration.ofSeconds(1);

  /** So many seeds in each build, and with {@code -Dlong}. */
  private static LongStream seeds() {
    return LongStream.rangeClosed(1, Boolean.getBoolean("long") ? 500 : 6);
  }

  /** A program of a lease on a node. */
  private record Program(String lease, String node, TestSession session) {}

  @TempDir private Path folder;
  private TestClock clock = new TestClock();
  private TestClock pastClock = clock;
  private final Map<String, TestClock> clocks = new HashMap<>();
  private final Map<String, Broker> nodes = new HashMap<>();
  private final Map<String, Path> files = new HashMap<>();
  private final Map<String, NodeReport> late = new HashMap<>();
  private final Map<String, NodeOrders> old = new HashMap<>();
  private final Map<String, Integer> cut = new HashMap<>();
  private final List<Program> programs = new ArrayList<>();
  private final Map<String, Long> sent = new HashMap<>();
  private final Map<String, Boolean> mayEnd = new HashMap<>();
  // How much time has passed, whatever the clocks say; and when leases were to end, by that.
  private Duration passed = Duration.ZERO;
  private final Map<String, Duration> earliest = new HashMap<>();
  // One that believes that it leads, on what its disk had when the next one began.
  private Optional<Broker> past = Optional.empty();
  private Random random;
  private Broker broker;
  private int copies;

  private void open() throws LeaseException {
    files.put("broker", folder.resolve("broker.db"));
    broker = new Broker(SqliteLeaseStore.open(files.get("broker")), List.of(), clock);
    for (String name : NAMES) {
      files.put(name, folder.resolve(name + ".db"));
      clocks.put(name, new TestClock());
      String unused = broker.members().join(name, broker.members().invite(name));
      start(name);
    }
    lead();
  }

  /** A broker takes its term when it is asked first, and of one store each takes another one. */
  private void lead() {
    NodeOrders unused = broker.nodes().orders(NAMES.getFirst(), 0, 0, Duration.ZERO);
  }

  private void start(String name) {
    Broker node =
        new Broker(SqliteLeaseStore.open(files.get(name)), Sample.gpus(GPUS), clocks.get(name));
    node.ordered().are("broker");
    nodes.put(name, node);
  }

  private Path copy(String name) {
    Path file = PowerCut.copy(files.get(name), folder.resolve(name + copies++));
    files.put(name, file);
    return file;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void nothingIsLostOrGivenTwice(long seed) throws Exception {
    random = new Random(seed);
    open();
    for (int step = 0; step < STEPS; step++) {
      pass(Duration.ofSeconds(random.nextInt(20)));
      String when = "seed " + seed + ", step " + step;
      act();
      note();
      settle();
      check(when);
    }
    endAll("seed " + seed);
  }

  private void pass(Duration time) {
    passed = passed.plus(time);
    clock.pass(time);
    if (past.isPresent()) {
      pastClock.pass(time);
    }
    clocks.values().forEach(node -> node.pass(time));
  }

  /** Somebody sets a clock; whoever has it sees that, and no time has passed. */
  private void set(Broker whose, TestClock its) {
    Duration by = Duration.ofMinutes(random.nextInt(-3_000, 3_000));
    whose.shift(by, () -> its.pass(by));
  }

  /** Notes when leases are to end at the soonest, by the time that has passed. */
  private void note() {
    for (Lease lease : broker.alive()) {
      Duration left = Duration.between(clock.instant(), lease.expires());
      earliest.merge(
          lease.id(), passed.plus(left), (one, other) -> one.compareTo(other) < 0 ? one : other);
    }
  }

  private void act() {
    try {
      actOrRefuse();
    } catch (LeaseException e) {
      // Not everything is possible at any time.
      assertTrue(!e.getMessage().isEmpty());
    }
  }

  private void actOrRefuse() throws LeaseException {
    String name = NAMES.get(random.nextInt(NAMES.size()));
    switch (random.nextInt(24)) {
      case 0, 1, 2 -> {
        Lease unused = broker.request(wanted());
      }
      case 3 -> release();
      case 4, 5, 6 -> use();
      case 7 -> endProgram();
      case 8 -> cut.put(name, 1 + random.nextInt(8));
      case 9 -> {
        broker.tick();
        nodes.get(name).tick();
      }
      case 10 -> loseBroker();
      case 11 -> loseNode(name);
      case 12 -> replay(name);
      case 13 -> renew();
      case 14 -> set(broker, clock);
      case 15 -> set(nodes.get(name), clocks.get(name));
      case 16 -> obeyThePast(name);
      default -> exchange(name);
    }
  }

  private LeaseRequest wanted() {
    ServiceClass service = random.nextInt(3) == 0 ? ServiceClass.SPARE : ServiceClass.SHARED;
    int share = random.nextBoolean() ? LeaseRequest.WHOLE : 500;
    return Sample.part("t" + random.nextInt(3), 1 + random.nextInt(GPUS), share, 0).toBuilder()
        .service(service)
        .duration(Duration.ofMinutes(5 + random.nextInt(60)))
        .build();
  }

  private Lease any() throws LeaseException {
    List<Lease> alive = broker.alive();
    if (alive.isEmpty()) {
      throw new LeaseException("there is none");
    }
    return alive.get(random.nextInt(alive.size()));
  }

  /** Nobody waits here for the node: the clock stands still meanwhile. */
  private void release() throws LeaseException {
    Lease lease = any();
    mayEnd.put(lease.id(), true);
    end(lease.id());
    broker.tick();
  }

  private void end(String lease) throws LeaseException {
    Broker leading = broker;
    synchronized (leading) {
      leading.end(leading.find(lease), LeaseState.RELEASED, clock.instant(), "");
    }
  }

  private void renew() throws LeaseException {
    Lease unused = broker.renew(any().id(), Duration.ofMinutes(30));
  }

  /** A program begins at its node, which is all that it needs. */
  private void use() throws LeaseException {
    Lease lease = any();
    if (lease.gpus().isEmpty()) {
      throw new LeaseException("it waits");
    }
    String name = lease.gpus().getFirst().node();
    TestSession session =
        TestSession.start(nodes.get(name).admissions().admit(BrokerCase.holder(lease)));
    long bytes = random.nextLong(1, 1_000);
    session.does(new SessionFigures(1, bytes, 0));
    sent.merge(lease.id(), bytes, Long::sum);
    programs.add(new Program(lease.id(), name, session));
  }

  private void endProgram() throws LeaseException {
    if (programs.isEmpty()) {
      throw new LeaseException("there is none");
    }
    Program program = programs.remove(random.nextInt(programs.size()));
    program.session().end(program.session().figures());
  }

  private void loseBroker() {
    Path file = copy("broker");
    past.ifPresent(Broker::close);
    past = Optional.of(broker);
    pastClock = clock;
    clock = new TestClock();
    clock.pass(Duration.between(clock.instant(), pastClock.instant()));
    broker = new Broker(SqliteLeaseStore.open(file), List.of(), clock);
    lead();
  }

  /** One that was cut off gives orders as ever: who has obeyed the next one refuses them. */
  private void obeyThePast(String name) throws LeaseException {
    if (past.isEmpty()) {
      throw new LeaseException("there is none");
    }
    OrderedLeases node = nodes.get(name).ordered();
    node.obey(past.get().nodes().orders(name, node.term(), node.version(), Duration.ZERO));
  }

  /**
   * Its programs end with it, whose last bytes it has written down; and so do its connections, with
   * the orders that were on their way to it.
   */
  private void loseNode(String name) {
    old.remove(name);
    Broker gone = nodes.get(name);
    gone.checkpoint();
    Path file = copy(name);
    programs.removeIf(program -> program.node().equals(name));
    files.put(name, file);
    start(name);
    gone.close();
  }

  /** A report that was held up, or orders of before. */
  private void replay(String name) throws LeaseException {
    if (late.containsKey(name) && random.nextBoolean()) {
      broker.nodes().report(name, late.get(name));
    } else if (old.containsKey(name)) {
      nodes.get(name).ordered().obey(old.get(name));
    }
  }

  private void exchange(String name) throws LeaseException {
    if (cut.merge(name, -1, Integer::sum) > 0) {
      throw new LeaseException("the node is cut off");
    }
    OrderedLeases node = nodes.get(name).ordered();
    NodeOrders orders = broker.nodes().orders(name, node.term(), node.version(), Duration.ZERO);
    if (random.nextInt(4) == 0) {
      old.put(name, orders);
    }
    if (random.nextInt(5) > 0) {
      node.obey(orders);
    }
    NodeReport report = node.report(List.of("tcp://" + name));
    if (random.nextInt(4) == 0) {
      late.put(name, report);
    }
    if (random.nextInt(5) > 0) {
      broker.nodes().report(name, report);
    }
  }

  /** What goes on beside is over before it is looked at; programs that are told to end do so. */
  private void settle() throws LeaseException, InterruptedException {
    for (Broker node : nodes.values()) {
      while (node.ordered().isMoving()) {
        Thread.sleep(1);
      }
      for (Lease lease : node.alive()) {
        node.suspensions().awaitMoved(lease.id());
      }
    }
    for (Program program : List.copyOf(programs)) {
      if (program.session().isStopped()) {
        programs.remove(program);
        program.session().end(program.session().figures());
        checkMayEnd(program);
      }
    }
  }

  /** It was released, its time is over, or a better class has its device. */
  private void checkMayEnd(Program program) throws LeaseException {
    Lease there = nodes.get(program.node()).find(program.lease());
    Duration end = earliest.getOrDefault(program.lease(), Duration.ZERO);
    boolean over = end.minus(LATE).compareTo(passed) <= 0;
    boolean ordered = mayEnd.containsKey(program.lease());
    assertTrue(over || ordered, () -> "ended for nothing: " + there);
  }

  private void check(String when) {
    assertFit(when + ", broker", broker.alive());
    nodes.forEach((name, node) -> assertFit(when + ", " + name, node.alive()));
  }

  private static void assertFit(String when, List<Lease> leases) {
    Map<GpuId, Integer> shares = new HashMap<>();
    for (Lease lease : leases) {
      if (lease.state().occupies()) {
        for (Gpu gpu : lease.gpus()) {
          shares.merge(gpu.id(), lease.request().share(), Integer::sum);
        }
      }
    }
    assertTrue(
        shares.values().stream().allMatch(share -> share <= LeaseRequest.WHOLE),
        () -> when + ": " + shares);
  }

  /** All is well again, and all leases end. */
  private void endAll(String when) throws Exception {
    cut.clear();
    late.clear();
    while (!programs.isEmpty()) {
      endProgram();
    }
    for (Lease lease : broker.alive()) {
      mayEnd.put(lease.id(), true);
    }
    pass(Duration.ofHours(3));
    for (int round = 0; round < 12; round++) {
      nodes.values().forEach(Broker::tick);
      broker.tick();
      for (String name : NAMES) {
        OrderedLeases node = nodes.get(name).ordered();
        node.obey(broker.nodes().orders(name, node.term(), node.version(), Duration.ZERO));
        settle();
        broker.nodes().report(name, node.report(List.of("tcp://" + name)));
      }
      for (Lease lease : broker.alive()) {
        if (lease.state() == LeaseState.REQUESTED || lease.expires().isAfter(clock.instant())) {
          end(lease.id());
        }
      }
      pass(Duration.ofSeconds(1));
    }
    assertEquals(List.of(), broker.alive(), when);
    nodes.forEach((name, node) -> assertEquals(List.of(), node.alive(), when + ", " + name));
    Map<String, Long> counted = new HashMap<>();
    for (LedgerRow row : broker.ledger(LedgerQuery.since(Instant.EPOCH))) {
      if (row.bytesIn() > 0) {
        counted.merge(row.lease(), row.bytesIn(), Long::sum);
      }
    }
    assertEquals(sent, counted, when);
    broker.close();
    past.ifPresent(Broker::close);
    nodes.values().forEach(Broker::close);
  }
}
