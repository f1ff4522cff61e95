// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.lease.Lease;
import io.outboard.lease.LedgerRow;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rows that the ledger must have of leases that are watched: their time, and their bytes. */
final class LedgerModel {
  private final Map<String, Duration> had = new HashMap<>();
  private final Map<String, Long> sent = new HashMap<>();
  private final Set<String> over = new HashSet<>();
  // Of these the last bytes may be missing.
  private final Set<String> cut = new HashSet<>();

  /** Time passes in which nothing happens. */
  void pass(Duration time, List<Lease> alive) {
    for (Lease lease : alive) {
      if (isCounted(lease) && lease.state().occupies()) {
        had.merge(lease.id(), time.multipliedBy(lease.gpus().size()), Duration::plus);
      }
    }
  }

  private static boolean isCounted(Lease lease) {
    return !lease.request().isCommon();
  }

  /** A program of a lease has sent bytes. */
  void sent(String lease, long bytes) {
    sent.merge(lease, bytes, Long::sum);
  }

  /** The programs of a lease have ended with the backend. */
  void cut(String lease) {
    cut.add(lease);
  }

  /** A lease is over. */
  void over(String lease) {
    over.add(lease);
  }

  /** Holds the ledger's rows, up to now, against all that. */
  void check(List<LedgerRow> rows) {
    Map<String, Duration> time = new HashMap<>();
    Map<String, Long> bytes = new HashMap<>();
    Set<String> last = new HashSet<>();
    for (LedgerRow row : rows) {
      time.merge(row.lease(), Duration.between(row.from(), row.to()), Duration::plus);
      bytes.merge(row.lease(), row.bytesIn(), Long::sum);
      if (row.last()) {
        last.add(row.lease());
      }
    }
    had.forEach((id, expected) -> assertEquals(expected, time.get(id), "the time of " + id));
    sent.forEach((id, expected) -> checkBytes(id, expected, bytes.getOrDefault(id, 0L)));
    over.stream()
        .filter(had::containsKey)
        .forEach(id -> assertTrue(last.contains(id), "the last row of " + id));
  }

  private void checkBytes(String id, long sentByPrograms, long counted) {
    assertTrue(counted <= sentByPrograms, () -> id + " has bytes twice: " + counted);
    if (!cut.contains(id)) {
      assertEquals(sentByPrograms, counted, "the bytes of " + id);
    }
  }
}
