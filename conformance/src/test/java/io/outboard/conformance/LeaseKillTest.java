// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.lease.Form;
import io.outboard.lease.LeaseState;
import io.outboard.patience.Patience;
import io.outboard.testkit.Amount;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * {@code kill -9} of clients, workers and the daemon at random points of the lives of leases, while
 * these are suspended, resumed and given other shares: no GPU is ever given away more than once,
 * nor while it is handed over, and each lease is in the ledger from its grant to its end.
 */
final class LeaseKillTest {
  @RegisterExtension static final Backend BACKEND = new Backend("software:2", "--grace=0");

  private static final int MOST_MS = 300;
  private static final int MOVE_MS = 40;
  private static final int WHOLE = 1000;

  private final Random random = new Random(20261122);
  private final Leases leases = new Leases(BACKEND);
  // As they were when they were last seen with devices.
  private final Map<String, Form> granted = new HashMap<>();

  @Test
  void nothingIsGivenTwiceOrLost() throws Exception {
    for (int round = 0; round < Amount.of(12, 160); round++) {
      Form lease = leases.request(wanted());
      Process client = start(lease);
      try {
        Thread.sleep(random.nextInt(MOST_MS));
        Thread change = change(lease);
        Thread.sleep(random.nextInt(MOVE_MS));
        kill(round, client);
        change.join();
        note();
        if (random.nextBoolean()) {
          leases.change("release", lease);
        }
      } finally {
        client.destroyForcibly().waitFor();
      }
      note();
    }
    Patience.until("all leases have ended", this::endAll);
    checkLedger(leases.ask("usage", new Form()));
    Patience.until("one worker is left", () -> BACKEND.daemon().children().count() == 1);
  }

  private Form wanted() {
    return switch (random.nextInt(4)) {
      case 0, 1 -> new Form().with("gpus", 1 + random.nextInt(2));
      case 2 -> new Form().with("share", WHOLE / 2);
      default -> new Form().with("mode", "device");
    };
  }

  /** Asks for something while others are killed, which may be refused, or meet the daemon's end. */
  private Thread change(Form lease) {
    String verb = List.of("suspend", "resume", "renew").get(random.nextInt(3));
    Form form = new Form().with("id", lease.get("id")).with("share", 1 + random.nextInt(WHOLE));
    return Thread.ofPlatform().start(() -> attempt(verb, form));
  }

  private void attempt(String verb, Form form) {
    try {
      List<Form> unused = leases.ask(verb, form);
    } catch (IOException | AssertionError e) {
      // Another test checks the answer.
    }
  }

  private boolean endAll() throws IOException {
    note();
    return leases.releaseAll();
  }

  /** Uses the lease where it has its devices; else as somebody would who has none. */
  private Process start(Form lease) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(Home.PROGRAMS.resolve("lease").toString(), "work")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    String endpoint = BACKEND.endpoints().get(random.nextInt(3));
    Program.setVariables(
        builder,
        lease.get("token").isEmpty()
            ? BACKEND.variables(endpoint)
            : leases.variables(endpoint, lease));
    return builder.start();
  }

  private void kill(int round, Process client) throws IOException {
    switch (round % 4) {
      case 0 -> client.destroyForcibly();
      case 1 -> BACKEND.daemon().children().forEach(ProcessHandle::destroyForcibly);
      case 2 -> {
        ProcessHandle daemon = BACKEND.daemon();
        daemon.destroyForcibly();
        daemon.onExit().join();
        BACKEND.startAgain();
      }
      default -> {}
    }
  }

  /** Remembers who has devices now; nothing of them is given away twice. */
  private void note() throws IOException {
    Map<String, Long> shares = new HashMap<>();
    for (Form lease : leases.alive()) {
      if (lease.get("uuids").isEmpty()) {
        continue;
      }
      granted.put(lease.get("id"), lease);
      if (!LeaseState.of(lease.get("state")).isSuspended()) {
        uuids(lease).forEach(uuid -> shares.merge(uuid, share(lease), LeaseKillTest::both));
      }
    }
    assertTrue(shares.values().stream().allMatch(share -> share <= WHOLE), shares::toString);
  }

  private static long share(Form lease) {
    return lease.number("share", 0);
  }

  /** Sessions without a lease are together, and beside nobody else. */
  private static long both(long one, long other) {
    return one == 0 ^ other == 0 ? WHOLE + 1L : one + other;
  }

  private static List<String> uuids(Form lease) {
    return List.of(lease.get("uuids").split(" ", -1));
  }

  private void checkLedger(List<Form> rows) {
    Map<String, List<Form>> ofLease = new TreeMap<>();
    Map<String, List<Form>> ofGpu = new TreeMap<>();
    for (Form row : rows) {
      ofLease.computeIfAbsent(row.get("lease"), _ -> new ArrayList<>()).add(row);
      if (!Leases.isCommon(row)) {
        ofGpu.computeIfAbsent(row.get("gpu"), _ -> new ArrayList<>()).add(row);
      }
    }
    granted.forEach((id, lease) -> checkRows(lease, ofLease.getOrDefault(id, List.of())));
    ofGpu.values().forEach(LeaseKillTest::checkShares);
  }

  /** From the grant to the end, for each device; the test is shorter than an hour, mostly. */
  private static void checkRows(Form lease, List<Form> rows) {
    long devices = uuids(lease).size();
    assertEquals(
        devices,
        rows.stream().filter(row -> row.get("last").equals("true")).count(),
        lease::toString);
    assertEquals(
        devices,
        rows.stream().filter(row -> row.get("from").equals(lease.get("granted"))).count(),
        lease::toString);
  }

  /** At no moment more of a device is somebody's than there is. */
  private static void checkShares(List<Form> rows) {
    for (Form row : rows) {
      long begin = row.number("from", 0);
      long all =
          rows.stream()
              .filter(other -> other.number("from", 0) <= begin && begin < other.number("to", 0))
              .mapToLong(LeaseKillTest::share)
              .sum();
      assertTrue(all <= WHOLE, () -> "beside " + row + ": " + rows);
    }
  }
}
