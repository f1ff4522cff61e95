// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import io.outboard.testkit.Amount;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * All that may happen to the machines of a pool and to what connects them, in an order of chance: a
 * program on each node notices nothing, the request of a third never gets a GPU that another one
 * has, and in the end each lease is in the ledger once. Then the store is what it was long ago.
 */
@Order(1)
final class PoolFaultsTest {
  private static final int MOST_FILLING = 256;

  @TempDir private Path home;
  private final Map<String, Steady> programs = new HashMap<>();
  private final List<String> leases = new ArrayList<>();
  private FaultyPool pool;
  private Random random;
  private String waiting;

  /** The kinds of faults. */
  private enum Fault {
    BROKER_KILLED,
    BROKER_STOPPED,
    BROKER_WITHOUT_STORE,
    BROKER_WITHOUT_NODE,
    NODE_KILLED,
    CLIENT_KILLED,
    CLIENT_WITHOUT_NODE,
    STORE_CRASHED,
    DISK_FULL
  }

  /**
   * Faults of each build: two brokers that lead, a node, and the store with its disk. The others
   * are {@code ManyNodesTest}'s, {@code LostLinkTest}'s and those of the module {@code pool}.
   */
  private static final List<Fault> IN_EACH_BUILD =
      List.of(Fault.BROKER_WITHOUT_STORE, Fault.NODE_KILLED, Fault.DISK_FULL);

  private static LongStream seeds() {
    return LongStream.rangeClosed(1, Amount.of(1, 5));
  }

  @AfterEach
  void end() throws Exception {
    for (Steady program : programs.values()) {
      program.close();
    }
    if (pool != null) {
      pool.end();
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void nothingIsGivenTwiceNothingIsLostAndNoProgramEnds(long seed) throws Exception {
    random = new Random(seed);
    pool = FaultyPool.start(home);
    pool.awaitNodes();
    for (int node = 0; node < FaultyPool.NODES.size(); node++) {
      leases.add(lease("--for=2h"));
    }
    for (String lease : leases) {
      Patience.until("it is granted", () -> pool.isIn("granted", lease));
      programs.put(lease, started(lease));
    }
    waiting = lease("--for=2h");
    List<Fault> faults = new ArrayList<>(Amount.isLong() ? List.of(Fault.values()) : IN_EACH_BUILD);
    Collections.shuffle(faults, random);
    for (Fault fault : faults) {
      happens(fault);
      check("seed %d, after %s of %s".formatted(seed, fault, faults));
    }
    giveBack();
    isHeldNoLongerThanItsTime();
    restore();
  }

  private String lease(String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of("lease", "--detach"));
    words.addAll(List.of(options));
    return pool.typed(words.toArray(String[]::new)).strip();
  }

  private Steady started(String lease) throws Exception {
    Patience.until(
        "its node has taken it", () -> pool.tried("leases", "--place", lease).status() == 0);
    Steady program = pool.program(lease);
    program.awaitProgress();
    return program;
  }

  private String any(List<String> of) {
    return of.get(random.nextInt(of.size()));
  }

  private void happens(Fault fault) throws Exception {
    SmallNetwork network = pool.network();
    String leader = pool.leader();
    switch (fault) {
      case BROKER_KILLED -> {
        pool.broker(leader).kill();
        pool.awaitOther();
      }
      case BROKER_STOPPED -> {
        pool.broker(leader).stop();
        programsGoOn();
        pool.broker(leader).goOn();
      }
      case BROKER_WITHOUT_STORE -> twoBelieveThatTheyLead(network, leader);
      case BROKER_WITHOUT_NODE -> {
        String node = any(FaultyPool.NODES);
        network.part(leader, node);
        programsGoOn();
        network.rejoin(leader, node);
      }
      case NODE_KILLED -> {
        Backend node = pool.node(random.nextInt(FaultyPool.NODES.size()));
        node.daemon().destroyForcibly();
        Patience.until("it has ended", () -> !node.daemon().isAlive());
        node.startAgain();
      }
      case CLIENT_KILLED -> {
        String lease = any(leases);
        programs.remove(lease).close();
        programs.put(lease, started(lease));
      }
      case CLIENT_WITHOUT_NODE -> {
        String node = any(FaultyPool.NODES);
        network.part(FaultyPool.DESK, node);
        Thread.sleep(random.nextInt(2_000));
        network.rejoin(FaultyPool.DESK, node);
      }
      case STORE_CRASHED -> {
        pool.postgres().crash();
        programsGoOn();
        pool.postgres().startAgain();
        pool.startBrokersAgain();
      }
      case DISK_FULL -> fillTheDisk();
    }
  }

  /**
   * One stands still and loses the store meanwhile: when it goes on it does not know yet that the
   * other one leads.
   */
  private void twoBelieveThatTheyLead(SmallNetwork network, String leader) throws Exception {
    pool.broker(leader).stop();
    network.part(leader, FaultyPool.STORE);
    pool.broker(pool.other()).awaitLead();
    pool.lead(pool.other());
    pool.broker(leader).goOn();
    check("with two brokers");
    network.rejoin(leader, FaultyPool.STORE);
    pool.broker(leader).kill();
    pool.broker(leader).startBehind();
  }

  /** PostgreSQL ends where it cannot write what it has to write ahead. */
  private void fillTheDisk() throws Exception {
    Path filler = pool.disk().resolve("filler");
    Program.Ended unused =
        Program.run(
            List.of("dd", "if=/dev/zero", "of=" + filler, "bs=1M", "count=" + MOST_FILLING),
            Map.of());
    boolean writes = true;
    for (int megabyte = 0; writes && megabyte < MOST_FILLING; megabyte++) {
      writes = pool.postgres().accepts(1 << 20);
    }
    assertFalse(writes, "the disk is full");
    programsGoOn();
    Files.delete(filler);
    pool.postgres().crash();
    pool.postgres().startAgain();
    pool.startBrokersAgain();
  }

  private void programsGoOn() throws Exception {
    for (Steady program : programs.values()) {
      program.awaitProgress();
    }
  }

  private void check(String when) throws Exception {
    programsGoOn();
    for (String node : FaultyPool.NODES) {
      assertTrue(pool.holders(node).size() <= 1, when + ": " + pool.holders(node));
    }
    for (String lease : leases) {
      Patience.until(
          () -> when + ": the broker knows of the program of " + lease,
          () -> pool.isIn("active", lease));
    }
    assertTrue(pool.isIn("requested", waiting), () -> when + ": two GPUs are had by two");
  }

  private void giveBack() throws Exception {
    for (Steady program : programs.values()) {
      program.finishAfterAll();
    }
    pool.typed("release", leases.getFirst());
    Patience.until("who waits has what was released", () -> pool.isIn("granted", waiting));
    pool.typed("release", leases.getLast());
    pool.typed("release", waiting);
    for (String lease : leases) {
      assertEquals(1, pool.rows(lease), "rows of the ledger");
    }
    assertEquals(1, pool.rows(waiting), "rows of the ledger");
  }

  /** A client that has gone for good holds a GPU for the time of its lease, broker or not. */
  private void isHeldNoLongerThanItsTime() throws Exception {
    String lease = lease("--for=10s");
    Patience.until(
        "a node has it", () -> !holdersOfAll().isEmpty() || !pool.isIn("granted", lease));
    for (String name : FaultyPool.BROKERS) {
      pool.broker(name).kill();
    }
    Patience.until("it is over without a broker", () -> holdersOfAll().isEmpty());
    pool.startBrokersAgain();
    Patience.until("the broker hears of it", () -> !pool.isIn("granted", lease));
    assertEquals(1, pool.rows(lease), "rows of the ledger");
  }

  private List<String> holdersOfAll() throws Exception {
    List<String> all = new ArrayList<>();
    for (String node : FaultyPool.NODES) {
      all.addAll(pool.holders(node));
    }
    return all;
  }

  /** A lease that the store does not know ends before others get the GPUs; others go on. */
  private void restore() throws Exception {
    String known = lease("--for=2h");
    Patience.until("a node has it", () -> holdersOfAll().contains(known));
    try (Steady program = started(known)) {
      pool.postgres().crash();
      Path backup = home.resolve("backup");
      pool.postgres().backUp(backup);
      pool.postgres().startAgain();
      pool.startBrokersAgain();
      String later = lease("--for=2h");
      Patience.until("a node has it", () -> holdersOfAll().contains(later));
      pool.postgres().crash();
      pool.postgres().restore(backup);
      pool.startBrokersAgain("--restored");
      Patience.until(
          "the lease that the store does not know ends",
          () -> holdersOfAll().equals(List.of(known)));
      String next = lease("--for=2h");
      Patience.until("another one has the GPU", () -> holdersOfAll().contains(next));
      program.awaitProgress();
      program.finishAfterAll();
    }
  }
}
