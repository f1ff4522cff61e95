// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import io.outboard.testkit.Amount;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * {@code kill -9} of a client, a worker and the daemon at random points: the others go on, who
 * depended on it gets an error soon, and nothing is left.
 */
@Timeout(1800)
final class KillTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  /** What the loss of the backend may take until it is an error. */
  private static final long LOSS_MS = 2_000;

  /** A worker that is only just starting sees when it has started that nobody wants it. */
  private static final long END_MS = 30_000;

  /** Most of the time from a client's start until something is killed: some points are early. */
  private static final int MOST_MS = 600;

  private final Random random = new Random(20261121);

  @Test
  void ofAClientEndsItsWorkerOnly() throws Exception {
    Leftovers before = Leftovers.ofIdle(BACKEND);
    for (int i = 0; i < Amount.of(2, 100); i++) {
      String endpoint = endpoint(i);
      try (Steady other = Steady.start(BACKEND, endpoint(i + 1))) {
        other.awaitProgress();
        try (Steady victim = Steady.start(BACKEND, endpoint)) {
          Thread.sleep(random.nextInt(MOST_MS));
          victim.process().destroyForcibly();
        }
        other.awaitProgress();
        // The other's, and the next one that waits.
        Wait.until("its worker has gone", END_MS, () -> workers() <= 2);
        other.finish();
      }
    }
    before.awaitSame();
  }

  @Test
  void ofAWorkerIsAnErrorForItsClientOnly() throws Exception {
    Leftovers before = Leftovers.ofIdle(BACKEND);
    for (int i = 0; i < Amount.of(2, 100); i++) {
      try (Steady other = Steady.start(BACKEND, endpoint(i + 1))) {
        other.awaitProgress();
        try (Steady victim = Steady.start(BACKEND, endpoint(i))) {
          victim.awaitProgress();
          Thread.sleep(random.nextInt(MOST_MS / 3));
          BACKEND.worker(victim.process()).destroyForcibly();
          victim.awaitLoss(LOSS_MS);
        }
        other.awaitProgress();
        other.finish();
      }
    }
    before.awaitSame();
  }

  @Test
  void ofTheDaemonIsAnErrorForAllAndLeavesNothing() throws Exception {
    Leftovers before = Leftovers.ofIdle(BACKEND);
    for (int i = 0; i < Amount.of(1, 40); i++) {
      List<Steady> clients = new ArrayList<>();
      try {
        for (String endpoint : BACKEND.endpoints()) {
          clients.add(Steady.start(BACKEND, endpoint));
        }
        if (i % 2 == 0) {
          clients.getFirst().awaitProgress();
        }
        Thread.sleep(random.nextInt(MOST_MS));
        List<ProcessHandle> workers = BACKEND.daemon().children().toList();
        BACKEND.daemon().destroyForcibly();
        for (Steady client : clients) {
          client.awaitLoss(LOSS_MS);
        }
        Wait.until(
            "no worker is left", END_MS, () -> workers.stream().noneMatch(ProcessHandle::isAlive));
      } finally {
        for (Steady client : clients) {
          client.close();
        }
        BACKEND.startAgain();
      }
    }
    before.awaitSame();
  }

  private static String endpoint(int number) {
    List<String> all = BACKEND.endpoints();
    return all.get(number % all.size());
  }

  private static long workers() {
    return BACKEND.daemon().children().count();
  }
}
