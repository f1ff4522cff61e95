// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.pool.Form;
import io.outboard.testkit.Amount;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * {@code kill -9} of clients, workers and the daemon at random points of the lives of leases: no
 * two leases ever have a GPU of which each wants the whole, and each lease is in the ledger from
 * its grant to its end.
 */
@Timeout(1800)
final class LeaseKillTest {
  @RegisterExtension static final Backend BACKEND = new Backend("software:2");

  private static final int MOST_MS = 300;
  private static final long END_MS = 30_000;

  private final Random random = new Random(20261122);
  private final Leases leases = new Leases(BACKEND);
  // As they were when they were last seen with devices.
  private final Map<String, Form> granted = new HashMap<>();

  @Test
  void nothingIsGivenTwiceOrLost() throws Exception {
    for (int round = 0; round < Amount.of(8, 120); round++) {
      Form lease = leases.request(new Form().with("gpus", 1 + random.nextInt(2)));
      Process client = start(lease);
      try {
        Thread.sleep(random.nextInt(MOST_MS));
        kill(round, client);
        note();
        if (random.nextBoolean()) {
          leases.change("release", lease);
        }
      } finally {
        client.destroyForcibly().waitFor();
      }
      note();
    }
    Wait.until("all leases have ended", END_MS, this::endAll);
    checkLedger(leases.ask("usage", new Form()));
    Wait.until("one worker is left", END_MS, () -> BACKEND.daemon().children().count() == 1);
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

  /** Remembers who has devices now; whole ones have one holder. */
  private void note() throws IOException {
    Map<String, Form> holders = new HashMap<>();
    for (Form lease : leases.alive()) {
      if (lease.get("uuids").isEmpty()) {
        continue;
      }
      granted.put(lease.get("id"), lease);
      for (String uuid : uuids(lease)) {
        Form before = holders.put(uuid, lease);
        assertTrue(
            before == null || (Leases.isCommon(lease) && Leases.isCommon(before)),
            () -> uuid + " has " + before + " and " + lease);
      }
    }
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
    ofGpu.values().forEach(LeaseKillTest::checkOneAfterTheOther);
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

  private static void checkOneAfterTheOther(List<Form> rows) {
    rows.sort(
        Comparator.<Form>comparingLong(row -> row.number("epoch", 0))
            .thenComparingLong(row -> row.number("from", 0)));
    for (int i = 1; i < rows.size(); i++) {
      Form before = rows.get(i - 1);
      Form after = rows.get(i);
      assertTrue(before.number("to", 0) <= after.number("from", 0), () -> before + ", " + after);
    }
  }
}
