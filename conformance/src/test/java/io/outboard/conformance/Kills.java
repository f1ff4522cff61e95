// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import io.outboard.patience.Patience;
import io.outboard.testkit.Amount;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * {@code kill -9} of a client, a worker and the daemon at random points: the others go on, who
 * depended on it gets an error soon, and nothing is left. The cases have one daemon, so they run
 * one after the other, although the class runs beside others.
 */
abstract class Kills {
  /** Most of the time from a client's start until something is killed: some points are early. */
  private static final int MOST_MS = 600;

  private final Random random = new Random(20261121);

  /** The backend that they are clients of. */
  abstract Backend backend();

  /** A client that goes on, of the tests' programs. */
  abstract String program();

  @Test
  void ofAClientEndsItsWorkerOnly() throws Exception {
    Leftovers before = Leftovers.ofIdle(backend());
    for (int i = 0; i < Amount.of(2, 100); i++) {
      String endpoint = endpoint(i);
      try (Steady other = Steady.start(program(), backend(), endpoint(i + 1))) {
        other.awaitProgress();
        try (Steady victim = Steady.start(program(), backend(), endpoint)) {
          Thread.sleep(random.nextInt(MOST_MS));
          victim.process().destroyForcibly();
        }
        other.awaitProgress();
        // The other's, and the next one that waits. One that is only just starting sees when it has
        // started that nobody wants it.
        Patience.until("its worker has gone", () -> workers() <= 2);
        other.finish();
      }
    }
    before.awaitSame();
  }

  @Test
  void ofAWorkerIsAnErrorForItsClientOnly() throws Exception {
    Leftovers before = Leftovers.ofIdle(backend());
    for (int i = 0; i < Amount.of(2, 100); i++) {
      try (Steady other = Steady.start(program(), backend(), endpoint(i + 1))) {
        other.awaitProgress();
        try (Steady victim = Steady.start(program(), backend(), endpoint(i))) {
          victim.awaitProgress();
          Thread.sleep(random.nextInt(MOST_MS / 3));
          backend().worker(victim.process()).destroyForcibly();
          victim.awaitLoss();
        }
        other.awaitProgress();
        other.finish();
      }
    }
    before.awaitSame();
  }

  /** Clients that were not served yet meet an error; the next daemon has the others. */
  @Test
  void ofTheDaemonEndsNoSessionAndLeavesNothing() throws Exception {
    Leftovers before = Leftovers.ofIdle(backend());
    for (int i = 0; i < Amount.of(1, 40); i++) {
      List<Steady> clients = new ArrayList<>();
      try {
        for (String endpoint : backend().endpoints()) {
          clients.add(Steady.start(program(), backend(), endpoint));
        }
        if (i % 2 == 0) {
          clients.getFirst().awaitProgress();
        }
        Thread.sleep(random.nextInt(MOST_MS));
        killDaemon(clients.getFirst(), i % 2 == 0);
        for (Steady client : clients) {
          client.awaitProgressOrLoss();
        }
      } finally {
        for (Steady client : clients) {
          client.close();
        }
      }
    }
    before.awaitSame();
  }

  private String endpoint(int number) {
    List<String> all = backend().endpoints();
    return all.get(number % all.size());
  }

  private void killDaemon(Steady client, boolean served) throws Exception {
    ProcessHandle daemon = backend().daemon();
    daemon.destroyForcibly();
    daemon.onExit().join();
    if (served) {
      client.awaitProgress();
    }
    backend().startAgain();
  }

  private long workers() {
    return backend().daemon().children().count();
  }
}
