// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.account;

import static io.outboard.cli.account.UsageSums.Group.month;
import static io.outboard.cli.account.UsageSums.Group.tenant;
import static io.outboard.cli.account.UsageSums.Group.user;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.api.json.Ordered;
import io.outboard.lease.Form;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class UsageSumsTest {
  private static final long HOUR = 3_600_000;

  private static Form row(String lease, String whose, String end, int share) {
    long to = Instant.parse(end).toEpochMilli();
    return new Form()
        .with("lease", lease)
        .with("tenant", whose)
        .with("consumer", "user " + whose)
        .with("share", share)
        .with("from", to - HOUR)
        .with("to", to)
        .with("bytesIn", 5)
        .with("bytesOut", 7)
        .with("busy", 1_500);
  }

  /** Two halves of a GPU are one, and what ends in another month is in another sum. */
  @Test
  void whatIsOfOneTenantAndMonthIsOneSum() {
    UsageSums sums =
        new UsageSums(
            List.of(tenant, month),
            List.of(
                row("1", "alice", "2026-11-30T23:00:00Z", 500),
                row("1", "alice", "2026-11-30T22:00:00Z", 500),
                row("2", "alice", "2026-12-01T00:00:00Z", 1_000),
                row("3", "bob", "2026-11-01T01:00:00Z", 250)));
    assertEquals(
        List.of(
            sum("alice", "2026-11", 1, "3600.000", "3.000", 2),
            sum("alice", "2026-12", 1, "3600.000", "1.500", 1),
            sum("bob", "2026-11", 1, "900.000", "1.500", 1)),
        sums.objects());
  }

  private static Object sum(
      String whose, String when, int leases, String seconds, String busy, int rows) {
    return Ordered.of(
        "tenant",
        whose,
        "month",
        when,
        "leases",
        leases,
        "gpuSeconds",
        new BigDecimal(seconds),
        "busySeconds",
        new BigDecimal(busy),
        "energyJoules",
        null,
        "bytesIn",
        5L * rows,
        "bytesOut",
        7L * rows);
  }

  /** Watt hours are for people, joules for programs. */
  @Test
  void aLeaseHasItsEnergy() {
    UsageSums sums =
        new UsageSums(
            List.of(UsageSums.Group.lease),
            List.of(
                row("1", "alice", "2026-11-30T22:00:00Z", 1_000).with("energy", 1_800_000),
                row("1", "alice", "2026-11-30T23:00:00Z", 1_000).with("energy", 5_400_000),
                row("2", "alice", "2026-11-30T23:00:00Z", 1_000)));
    assertEquals(new BigDecimal("7200.000"), sums.objects().getFirst().get("energyJoules"));
    assertNull(sums.objects().getLast().get("energyJoules"));
    List<String> lines = sums.rows().toList();
    assertTrue(lines.getFirst().contains(" 2.00 "), lines::toString);
    assertTrue(lines.getLast().contains(" - "), lines::toString);
  }

  @Test
  void aUserIsWhoAskedUnlessAccountingHasAName() {
    Form named = row("1", "alice", "2026-11-30T23:00:00Z", 1_000).with("user", "/CN=Alice");
    Form plain = row("2", "alice", "2026-11-30T23:00:00Z", 1_000);
    Form none = row("3", "alice", "2026-11-30T23:00:00Z", 0).with("consumer", "process 17");
    UsageSums sums = new UsageSums(List.of(user), List.of(named, plain, none));
    assertEquals(
        List.of("-", "/CN=Alice", "user alice"),
        sums.objects().stream().map(sum -> sum.get("user")).toList());
  }
}
